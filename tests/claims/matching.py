"""Runs a grader over a folder and looks its claim rows up by file, turn, span and kind."""

import collections
import json
import os
import subprocess
import sys

BAD = ("contradicted", "unsupported")


def grade(binary, folder, timeout=900):
    """The rows of `BINARY grade --format jsonl FOLDER`. Exit 0 and 1 are both answers; anything else is told."""
    p = subprocess.run([binary, "grade", "--format", "jsonl", folder], capture_output=True, timeout=timeout)
    if p.returncode not in (0, 1):
        print(f"grader: exit {p.returncode}: {p.stderr.decode(errors='replace').strip()[:400]}", file=sys.stderr)
    return parse(p.stdout.decode(errors="replace"))


def parse(text):
    rows = []
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("{"):
            try:
                rows.append(json.loads(line))
            except ValueError:
                print("grader: a line is not JSON", file=sys.stderr)
    return rows


class Rows:
    """Claim rows about closes, by (file, turn). A row's file may be led by the name of the folder that was graded."""

    def __init__(self, rows, folder, files):
        lead = os.path.basename(os.path.normpath(folder)) + "/"
        self.known = set(files)
        self.by = collections.defaultdict(list)
        self.claims = self.strangers = 0
        for r in rows:
            if r.get("kind") != "claim" or r.get("where", "close") != "close":
                continue
            self.claims += 1
            f = str(r.get("file", ""))
            if f not in self.known and f.startswith(lead):
                f = f[len(lead):]
            if f not in self.known:
                f = next((k for k in (f[i + 1:] for i, ch in enumerate(f) if ch == "/") if k in self.known), None)
            span = r.get("span") or {}
            if f is None or not isinstance(span.get("start"), int) or not isinstance(span.get("end"), int):
                self.strangers += 1
                continue
            self.by[(f, r.get("turn"))].append(r)

    def at(self, file, turn):
        return self.by.get((file, turn), [])

    def over(self, label):
        return [r for r in self.at(label["file"], label["turn"]) if r["span"]["start"] < label["end"] and label["start"] < r["span"]["end"]]


def of_kind(rows, kinds):
    return [r for r in rows if r.get("claim") in kinds]


def short(row):
    return f"{row.get('claim')}:{row.get('verdict')}({','.join(row.get('reasons') or [])})"
