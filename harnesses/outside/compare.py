#!/usr/bin/env python3
"""Asks both programs about transcripts and prints the tables of docs/METHODOLOGY.md as Markdown.

    TRACEFOLD_OUTSIDE=DIR harnesses/outside/compare.py TRACEFOLD TRANSCRIPTS...

TRACEFOLD is the built command. Where a disagreement has places, they are grouped by the kind of record that
stands there: nothing of a transcript's content is printed.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys

import sessions

HERE = pathlib.Path(__file__).resolve().parent
ASKED = [
    ("against-ccusage.py", {"TRACEFOLD_CCUSAGE_REPORT": "session"}),
    ("against-ccusage.py", {"TRACEFOLD_CCUSAGE_REPORT": "daily"}),
    ("against-harbor.py", {}),
]
NOWHERE = "no place"
MARK = re.compile(r"\s*(<[a-z-]+>|\[Request interrupted by user|This session is being continued)")


def main(tracefold, transcripts):
    for program, variables in ASKED:
        command = [tracefold, "fidelity", "--against", str(HERE / program), "--transcripts", *transcripts]
        command += ["--json", "--quiet", "--disagreements", str(10**9)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False, env={**os.environ, **variables})
        if done.returncode not in (0, 1):
            sessions.fail(f"tracefold ended with {done.returncode}")
        tables(json.loads(done.stdout))


def tables(found):
    print(f"\n**{'; '.join(found['by'])}**\n")
    compared = found["sessions"] - len(found["skipped"])
    print(f"{compared} of {found['sessions']} sessions; skipped: {len(found['skipped'])}\n")
    print("| field | equal | of |\n| --- | --- | --- |")
    for field, tally in found["fields"].items():
        within = f" (within {tally['tolerance']})" if "tolerance" in tally else ""
        print(f"| `{field}`{within} | {tally['equal']} | {tally['compared']} |")
    causes = collections.defaultdict(lambda: [set(), 0, 0, 0])
    lines = Lines()
    for one in found["disagreements"]:
        for place in one.get("places") or [None]:
            cause = causes[one["field"], lines.kind(one, place)]
            cause[0].add(one["run"])
            cause[1] += 1
            cause[2] += place["ours"] if place else 0
            cause[3] += place["theirs"] if place else 0
    if any(kind != NOWHERE for _, kind in causes):
        print("\n| field | what stands at the place | sessions | places | ours | theirs |")
        print("| --- | --- | --- | --- | --- | --- |")
    for (field, kind), (runs, places, ours, theirs) in sorted(causes.items()):
        if kind != NOWHERE:
            print(f"| `{field}` | {kind} | {len(runs)} | {places} | {ours} | {theirs} |")
    nowhere = [f"`{field}` {cause[1]}" for (field, kind), cause in sorted(causes.items()) if kind == NOWHERE]
    print(f"\nDisagreements without a place: {', '.join(nowhere) or 'none'}.")


class Lines:
    """The records at places."""

    def __init__(self):
        self.files = {}
        self.results = {}

    def of(self, file):
        if file not in self.files:
            self.files[file] = pathlib.Path(file).read_bytes().split(b"\n")
        return self.files[file]

    def kind(self, one, place):
        if place is None or place["line"] == 0:
            return NOWHERE
        line = self.of(place["file"])[place["line"] - 1]
        try:
            record = json.loads(line)
        except ValueError:
            return "a line that is no JSON"
        if one["field"] == "dangling":
            return self.answer(place["file"], one["key"])
        return kind(record, line)

    def answer(self, file, call):
        """What answers a call."""
        if file not in self.results:
            self.results[file] = {
                block.get("tool_use_id"): block for record in sessions.records(file) for block in blocks(record)
            }
        block = self.results[file].get(call)
        if block is None:
            return "a call without a result"
        return "a call whose result is empty" if not block.get("content") else "a call with a result"


def blocks(record):
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def kind(record, line):
    """What a record is, without its content."""
    what = record.get("type")
    message = record.get("message")
    if what == "progress":
        return "`progress` record with a subagent's message"
    if what == "attachment":
        return f"attachment `{record.get('attachment', {}).get('type')}`"
    if what == "assistant":
        if isinstance(message, dict) and message.get("model") == "<synthetic>":
            return "`assistant`, model `<synthetic>`"
        spaced = b'"usage":{' not in line and b'"usage"' in line
        return "`assistant`, JSON written with spaces" if spaced else "`assistant`"
    if what != "user":
        return f"`{what}`"
    types = [block.get("type") for block in blocks(record)]
    if "tool_result" in types:
        if "text" in types:
            return "`user`, text beside a `tool_result`"
        empty = all(not block.get("content") for block in blocks(record))
        return "`user`, empty `tool_result`" if empty else "`user`, `tool_result`"
    content = message.get("content") if isinstance(message, dict) else message
    text = content if isinstance(content, str) else "".join(b.get("text", "") for b in blocks(record)[:1])
    marked = MARK.match(text)
    if record.get("isCompactSummary"):
        return "`user`, compaction summary"
    meta = "`user`, `isMeta`" if record.get("isMeta") else "`user`"
    return f"{meta}, begins with `{marked.group(1)}`" if marked else f"{meta}, other text"


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sessions.fail(f"usage: {sys.argv[0]} TRACEFOLD TRANSCRIPTS...")
    main(sys.argv[1], sys.argv[2:])
