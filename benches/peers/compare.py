#!/usr/bin/env python3
"""Times tracefold beside other programs that read a folder of Claude Code transcripts, and prints ratios.

    python3 benches/peers/compare.py FOLDER [--times 9] [--tracefold PATH] [--ccusage VERSION ...]

All programs run by turns, so that what else the machine does hits all of them; the best time of each counts.
Processor seconds (of all threads, user and system) stand beside the seconds that passed. See README.md.
"""

import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def main():
    args = arguments()
    folder = args.folder.resolve()
    files = sorted(folder.rglob("*.jsonl"))
    if not files:
        sys.exit(f"{folder} holds no file whose name ends in .jsonl")
    size = sum(file.stat().st_size for file in files)
    print(f"{len(files)} files of {size:,} bytes; best of {args.times}, by turns\n")
    with tempfile.TemporaryDirectory() as scratch:
        report(measure(programs(args, folder, pathlib.Path(scratch)), args.times), size)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--times", type=int, default=9)
    parser.add_argument("--tracefold", type=pathlib.Path, default=ROOT / "target/release/tracefold")
    parser.add_argument(
        "--ccusage", nargs="*", default=["20.0.24", "18.0.11"], help="versions from npm; none without npm"
    )
    return parser.parse_args()


def programs(args, folder, scratch):
    """Each program's name, command and environment; tracefold's first, which the others are compared with."""
    tracefold = args.tracefold.resolve()
    if not tracefold.is_file():
        sys.exit(f"{tracefold} is missing: build it (README), or name it with --tracefold")
    found = [("tracefold fold", [tracefold, "fold", "--quiet", folder], {})]
    plain = tracefold.parent / "examples" / "plain"
    if plain.is_file():
        found.append(("the plain program", [plain, folder], {}))
    found.append(("Python json.loads", [sys.executable, HERE / "loads.py", folder], {}))
    if shutil.which("npm"):
        found.extend(ccusage(version, folder, scratch) for version in args.ccusage)
    else:
        print("npm is missing: without ccusage\n")
    return found


def ccusage(version, folder, scratch):
    """Installs a version, and shows it the folder as a home of Claude Code."""
    home = scratch / f"home-{version}"
    home.mkdir()
    # A link to the whole folder: version 20 follows none inside it.
    (home / "projects").symlink_to(folder)
    packages = [f"ccusage@{version}"]
    if int(version.split(".")[0]) >= 19:
        system = {"linux": "linux", "darwin": "darwin"}.get(sys.platform)
        machine = {"x86_64": "x64", "amd64": "x64"}.get(os.uname().machine, "arm64")
        # Some settings of npm leave optional packages out; the program is in one.
        packages.append(f"@ccusage/ccusage-{system}-{machine}@{version}")
    at = scratch / f"ccusage-{version}"
    at.mkdir()
    install = ["npm", "install", "--no-fund", "--no-audit", "--silent", "--prefix", at, *packages]
    subprocess.run(install, check=True, stdout=subprocess.DEVNULL)
    command = [at / "node_modules/.bin/ccusage", "daily", "--offline", "--json"]
    return (f"ccusage {version} daily", command, {"CLAUDE_CONFIG_DIR": str(home)})


def measure(programs, times):
    """The best seconds and processor seconds of each, by name."""
    best = {}
    for _ in range(times):
        for name, command, environment in programs:
            took = run([str(part) for part in command], os.environ | environment)
            known = best.get(name, took)
            best[name] = tuple(min(pair) for pair in zip(known, took))
    return best


def run(command, environment):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def report(best, size):
    (own_seconds, own_processor) = next(iter(best.values()))
    print("| program | seconds | MB/s | times tracefold's | processor seconds | times tracefold's |")
    print("| --- | --: | --: | --: | --: | --: |")
    for name, (seconds, processor) in best.items():
        print(
            f"| {name} | {seconds:.3f} | {size / 1e6 / seconds:.0f} | {seconds / own_seconds:.2f}"
            f" | {processor:.3f} | {processor / own_processor:.2f} |"
        )


if __name__ == "__main__":
    main()
