"""What a script does at least: json.loads of each line of each transcript below a folder, and nothing with it."""

import json
import pathlib
import sys

records = unread = 0
for file in sorted(pathlib.Path(sys.argv[1]).rglob("*.jsonl")):
    with file.open("rb") as lines:
        for line in lines:
            try:
                json.loads(line)
                records += 1
            except ValueError:
                unread += 1
print(f"{records} records, {unread} lines that are none")
