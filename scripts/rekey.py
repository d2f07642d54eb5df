#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives recordings of earlier versions the current keys and places (kernels/tile/identity/text_keys.h).

  cmake --build build/release --target tileloom_text_keys
  scripts/rekey.py [FILE …]          migrates these files, or all of resources/
  scripts/rekey.py --history         adds rows for the texts of all commits whose code is today's
  scripts/rekey.py --prove COMMIT    checks each row of the table against that commit's sources

A record names the text that it was made from, and is migrated only if today's text of its rung, or a
row of resources/fingerprints/, has that key. Others are stale: they keep the key, after "text:", and
are counted. A second run changes nothing. Other bytes are not changed.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "resources/fingerprints/text_keys.jsonl"
FOLDERS = ["recordings", "samples", "stalls", "loops", "fidelity", "timelines", "listings"]
KEY = re.compile(r'"source_hash":"([0-9a-f]{16})"')


def rows_of(program, folder=None):
    command = [program] + ([str(folder)] if folder else [])
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in text.splitlines()]


def rows_of_commit(program, commit):
    with tempfile.TemporaryDirectory() as folder:
        tar = subprocess.run(["git", "-C", str(ROOT), "archive", commit, "kernels"], check=True,
                             capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=tar, check=True)
        return rows_of(program, folder)


class Table:
    def __init__(self, program):
        lines = TABLE.read_text().splitlines() if TABLE.exists() else []
        self.rows = {(r["stage"], r["text"]): r for r in map(json.loads, lines)}
        self.today = {(r["stage"], r["text"]): r for r in rows_of(program)}

    def find(self, stage, text):
        """The row of a text, which is kept if a record needs it."""
        row = self.rows.get((stage, text)) or self.today.get((stage, text))
        if row:
            self.rows[(stage, text)] = row
        return row

    def write(self):
        text = "".join(json.dumps(r, separators=(",", ":")) + "\n" for r in self.rows.values())
        if not TABLE.exists() or TABLE.read_text() != text:
            TABLE.parent.mkdir(parents=True, exist_ok=True)
            TABLE.write_text(text)


class Migration:
    def __init__(self, table):
        self.table, self.done, self.stale = table, 0, []

    def key(self, where, line, stage):
        """The line with a current key, and the row that it came from."""
        found = KEY.search(line)
        if not found:
            return line, None
        row = self.table.find(stage, found[1])
        if row:
            self.done += 1
        else:
            self.stale.append(f"{where}: {stage} {found[1]}")
        new = row["fingerprint"] if row else "text:" + found[1]
        return line[:found.start()] + f'"fingerprint":"{new}"' + line[found.end():], row

    def lines(self, path, text):
        """One JSON object on each line; the common part of runs is in a line before them."""
        out, ahead = [], {}
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                record = json.loads(line)
                ahead = record.get("common", ahead)
                stage = record.get("stage") or ahead.get("stage")
                keyed = "source_hash" in record or "source_hash" in record.get("common", {})
                if keyed and stage is None:
                    sys.exit(f"{path}:{number}: a key without a stage")
                if "stage" in record and "source_hash" in ahead and not keyed:
                    sys.exit(f"{path}:{number}: a stage whose key is another line's")
                line, _ = self.key(f"{path}:{number}", line, stage)
            out.append(line)
        return "\n".join(out)

    @staticmethod
    def place(row, line):
        """The place of a line: see CodePlaces::placeOf."""
        tokens = row["tokens"][:line]
        while tokens and tokens[-1] == 0:
            tokens.pop()
        return sum(tokens[:-1]) + 1 if tokens else 0

    def stamps(self, path, text):
        stage = json.loads(text)["stage"]
        text, row = self.key(path, text, stage)
        if row is None:
            return text
        begin = text.index('"sites":[')
        end = text.index(',"warps":', begin)
        sites = re.sub(r'(\["\w+",)(\d+)(,)', lambda m: m[1] + str(self.place(row, int(m[2]))) + m[3],
                       text[begin:end])
        return (text[:begin] + sites + text[end:]).replace(
            '"schema":"tileloom.stamps/1"', '"schema":"tileloom.stamps/2"', 1)

    def listings(self, path, text):
        out, row = [], None
        for number, line in enumerate(text.split("\n"), 1):
            if line.startswith("{"):
                line, row = self.key(f"{path}:{number}", line, json.loads(line)["stage"])
                if row:
                    line = line.replace('"schema":"tileloom.listing/1"',
                                        '"schema":"tileloom.listing/2"', 1)
            elif row:
                line = re.sub(r"^(\d*)@(\d+) ",
                              lambda m: f"{m[1]}@{self.place(row, int(m[2]))} ", line)
            out.append(line)
        return "\n".join(out)

    def file(self, path):
        text = path.read_text()
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        if path.suffix == ".txt":
            new = self.listings(name, text)
        elif '"schema":"tileloom.stamps/' in text[:200]:
            new = self.stamps(name, text)
        else:
            new = self.lines(name, text)
        if new != text:
            path.write_text(new)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--program", default=str(ROOT / "build/release/kernels/tileloom_text_keys"))
    options.add_argument("--history", action="store_true")
    options.add_argument("--prove", metavar="COMMIT")
    options.add_argument("files", nargs="*", type=pathlib.Path)
    asked = options.parse_args()
    table = Table(asked.program)
    if asked.prove:
        there = {(r["stage"], r["text"]): r for r in rows_of_commit(asked.program, asked.prove)}
        known = [key for key in table.rows if key in there]
        wrong = [key for key in known if table.rows[key] != there[key]]
        print(f"{len(known)} of {len(table.rows)} rows are of texts of {asked.prove}, {len(wrong)} are wrong")
        sys.exit(1 if wrong or not known else 0)
    if asked.history:
        now = {r["stage"]: r["fingerprint"] for r in table.today.values()}
        commits = subprocess.run(
            ["git", "-C", str(ROOT), "log", "--format=%H", "--", "kernels/stages", "kernels/device"],
            check=True, capture_output=True, text=True).stdout.split()
        before = len(table.rows)
        for commit in commits:
            for row in rows_of_commit(asked.program, commit):
                if row["fingerprint"] == now[row["stage"]]:
                    table.rows.setdefault((row["stage"], row["text"]), row)
        print(f"{len(table.rows) - before} texts of {len(commits)} commits added")
        return table.write()
    files = asked.files or sorted(
        path for folder in FOLDERS for path in (ROOT / "resources" / folder).iterdir())
    migration = Migration(table)
    for path in files:
        migration.file(path.resolve())
    table.write()
    print(f"{migration.done} keys migrated, {len(migration.stale)} stale")
    for each in migration.stale:
        print("stale:", each)


if __name__ == "__main__":
    main()
