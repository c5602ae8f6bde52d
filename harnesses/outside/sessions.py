"""What the adapters share: the files of a session, folders laid out as a client lays them out, replies.

Python 3, standard library only.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

# The folder that holds the pinned programs.
FOLDER = "TRACEFOLD_OUTSIDE"


def fail(message):
    """Ends the adapter: tracefold tells what it said."""
    print(f"{pathlib.Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    sys.exit(2)


def folder():
    """The folder that holds the pinned programs, as the user named it."""
    named = os.environ.get(FOLDER)
    if not named:
        fail(f"set {FOLDER} to the folder of the pinned programs, or make one with `{sys.argv[0]} --install DIR`")
    return pathlib.Path(named).absolute()


def run(command, **options):
    """Runs a command and gives what it printed; what it says goes where ours goes."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False, **options)
    except OSError as error:
        fail(f"cannot run {command[0]}: {error}")
    if done.returncode != 0:
        fail(f"{command[0]} ended with {done.returncode}")
    return done.stdout


def records(path):
    """The records of a file; a line that is no JSON object is passed over, as both programs do."""
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict):
                yield record


def agents(session):
    """The files of a session's subagents, by the rule of docs/DEFINITIONS.md ("A run")."""
    session = pathlib.Path(session)
    found = set(session.with_suffix("").glob("subagents/**/agent-*.jsonl"))
    beside = [*session.parent.glob("agent-*.jsonl"), *session.parent.glob("subagents/agent-*.jsonl")]
    if beside:
        names = {session.stem, first_session(session)}
        found.update(path for path in beside if first_session(path) in names)
    return sorted(found)


def first_session(path):
    """The first `sessionId` in a file."""
    return next((r["sessionId"] for r in records(path) if isinstance(r.get("sessionId"), str)), None)


def lay_out(session, project):
    """Puts a session's files into a project folder as the client does: both programs look there.

    Copies, because neither is known to follow links; the originals are only read.
    """
    session = pathlib.Path(session)
    project.mkdir(parents=True)
    shutil.copyfile(session, project / session.name)
    below = project / session.stem / "subagents"
    for agent in agents(session):
        below.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(agent, below / agent.name)


def reply(session, by, fields=None, places=None, tolerances=None, skipped=None):
    """Prints a reply; see docs/FORMAT.md."""
    line = {"run": session, "by": by}
    if skipped is not None:
        line["skipped"] = skipped
    else:
        line.update(fields=fields, places=places or {}, tolerances=tolerances or {})
    print(json.dumps(line), flush=True)
