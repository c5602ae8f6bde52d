#!/usr/bin/env python3
"""What ccusage says of Claude Code sessions, for `tracefold fidelity --against`: tokens and dollars.

`against-ccusage.py --install DIR` puts the pinned version into DIR (npm needs the network for that);
afterwards, with TRACEFOLD_OUTSIDE=DIR, nothing here needs a network: prices are those that ccusage was
built with (`--offline`). Each session is read alone, under a home and a configuration folder of its own, so
that ccusage sees just this session and keeps nothing.

ccusage has two readers, which do not agree: the session report passes over what subagents wrote into their
session's `progress` records, the daily report counts it. TRACEFOLD_CCUSAGE_REPORT says which is asked:
`session` (the default; it knows the calls behind a total, so a disagreement has its place) or `daily`.
"""

import collections
import json
import os
import pathlib
import sys
import tempfile
from decimal import Decimal

import sessions

VERSION = "20.0.24"
REPORT = os.environ.get("TRACEFOLD_CCUSAGE_REPORT", "session")
BY = f"ccusage {VERSION}, {REPORT} report"

# ccusage adds dollars as binary floating point numbers.
TOLERANCES = {"dollars": "0.000001"}

# What a report calls its rows.
ROWS = {"session": "sessions", "daily": "daily"}

CLASSES = {
    "input": "inputTokens",
    "output": "outputTokens",
    "cache_creation": "cacheCreationTokens",
    "cache_read": "cacheReadTokens",
}


def install(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    command = ["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--include=optional"]
    sessions.run([*command, f"ccusage@{VERSION}"])
    print(f"ccusage {VERSION} is in {folder}; set {sessions.FOLDER}={folder}", file=sys.stderr)


def program():
    found = sessions.folder() / "node_modules" / ".bin" / "ccusage"
    if not found.exists():
        sessions.fail(f"no ccusage in {sessions.folder()}: `{sys.argv[0]} --install DIR` puts it there")
    said = sessions.run([str(found), "--version"]).decode().split()
    if said[-1:] != [VERSION]:
        sessions.fail(f"{found} is version {' '.join(said)}, not {VERSION}: install it anew")
    return str(found)


def ask(ccusage, home, *more):
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(home), "CLAUDE_CONFIG_DIR": str(home / "claude")}
    # `calculate`: old clients wrote a cost of their own, which is not what is compared.
    command = [ccusage, "claude", REPORT, "--json", "--offline", "--mode", "calculate", "--timezone", "UTC"]
    printed = sessions.run([*command, *more], env=environment, cwd=home)
    return json.loads(printed, parse_float=Decimal)


def main(paths):
    if REPORT not in ROWS:
        sessions.fail(f"TRACEFOLD_CCUSAGE_REPORT is {REPORT}; it can be {' or '.join(ROWS)}")
    ccusage = program()
    for path in paths:
        with tempfile.TemporaryDirectory() as home:
            home = pathlib.Path(home)
            sessions.lay_out(path, home / "claude" / "projects" / "run")
            found = ask(ccusage, home, "--breakdown")
            # Of a session without usage it prints an empty list.
            rows = found if isinstance(found, list) else found[ROWS[REPORT]]
            stated = None
            if REPORT == "session":
                stated = places(path, [entry for row in rows for entry in parts(ccusage, home, row)])
        sessions.reply(path, BY, fields(rows), stated, TOLERANCES)


def parts(ccusage, home, row):
    """The entries of a session that are left when duplicates are out."""
    found = ask(ccusage, home, "--id", row["sessionId"])
    return (found or {}).get("entries", [])


def fields(rows):
    stated = {f"tokens.{ours}": sum(row[theirs] for row in rows) for ours, theirs in CLASSES.items()}
    stated["dollars"] = str(sum((Decimal(row["totalCost"]) for row in rows), Decimal(0)))
    models = collections.defaultdict(collections.Counter)
    for breakdown in (breakdown for row in rows for breakdown in row["modelBreakdowns"]):
        # It marks what ran in fast mode in the model's name.
        model = breakdown["modelName"].removesuffix("-fast")
        for ours, theirs in CLASSES.items():
            models[f"by_model.{ours}"][model] += breakdown[theirs]
    for ours in CLASSES:
        stated[f"by_model.{ours}"] = models[f"by_model.{ours}"]
    return stated


def places(path, entries):
    """Tokens by API message. An entry has a time and no id: the message written at that time is its own."""
    messages = {}
    for file in [path, *sessions.agents(path)]:
        for record in sessions.records(file):
            inner = record.get("data", {}).get("message") if record.get("type") == "progress" else None
            for each in (record, inner if isinstance(inner, dict) else {}):
                message = each.get("message")
                if isinstance(message, dict) and message.get("usage"):
                    name = message.get("id") or each.get("uuid")
                    messages.setdefault(each.get("timestamp"), name)
    stated = {f"tokens.{ours}": collections.Counter() for ours in CLASSES}
    for entry in entries:
        name = messages.get(entry["timestamp"]) or entry["timestamp"]
        for ours, theirs in CLASSES.items():
            stated[f"tokens.{ours}"][name] += entry[theirs]
    return stated


if __name__ == "__main__":
    if sys.argv[1:2] == ["--install"] and len(sys.argv) == 3:
        install(sys.argv[2])
    else:
        main(sys.argv[1:])
