#!/usr/bin/env python3
"""Holds the program's session rows against the second reader's, file by file.

    compare.py BINARY CORPUS

Runs `BINARY grade --format jsonl CORPUS`, reads every file below CORPUS with
reader.py, lists every difference and exits 1 if there is one; 2 if the program
could not be run or broke off.
"""

import json
import os
import subprocess
import sys
import tempfile

import reader

SUFFIXES = (".jsonl", ".json", ".ndjson", ".gz", ".zst")
KEYS = (
    "records",
    "calls",
    "results",
    "pairs",
    "orphan_calls",
    "orphan_results",
    "operator_messages",
    "turns",
)
BYTES = ("record", "separator", "blank", "bom", "quarantined")


# The program's verdicts under the reader's names.
STATUS = {"read": "ok", "copy": "ok", ("dark", ("unknown-format",)): "foreign"}


def mapped(row):
    """The one place that knows the program's rows: what to compare, under the
    reader's names. A value of None is not compared."""
    counts = row.get("counts") or {}
    expected = {key: counts.get(key) for key in KEYS}
    expected["format"] = row.get("format")
    expected["turns"] = counts.get("turns", 0) + counts.get("rewound_turns", 0)
    expected["status"] = STATUS.get((row.get("verdict"), tuple(row.get("reasons", []))))
    expected["status"] = expected["status"] or STATUS.get(row.get("verdict"), row.get("verdict"))
    expected["ended"] = counts.get("ended")
    sizes = counts.get("bytes") or {}
    for key in BYTES[:-1]:  # the spans below say more than their sum
        expected[key + "_bytes"] = sizes.get(key)
    # The program's five sums must come to the size that the reader found.
    expected["bytes"] = sum(sizes[key] for key in BYTES) if sizes else None
    spans = row.get("quarantine")
    expected["quarantined"] = spans and [
        [span["start"], span["end"] - span["start"], span["reason"]] for span in spans
    ]
    return expected


def known_differences():
    """{file: reason} of the differences that stand, from known.json beside this file."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "known.json"), encoding="utf-8") as handle:
        return json.load(handle)


def is_passed_over(path, name, ours):
    """Whether the program may say nothing of a file: one that is no transcript, and whose name
    does not promise one, or that is one of its own, as its first line says."""
    if ours["format"] != "unknown":
        return False
    return not name.endswith((".jsonl", ".ndjson")) or is_own(path)


def is_own(path):
    """Whether the first line is a row, a record, a launch record or a judgment of the program's."""
    with open(path, "rb") as handle:
        try:
            fields = json.loads(handle.readline())
        except ValueError:
            return False
    if not isinstance(fields, dict):
        return False
    told = str(fields.get("schema", ""))
    launched = {"run", "arm", "task", "attempt", "actor"} <= fields.keys()
    judged = {"identity", "check", "verdict"} <= fields.keys()
    return told.startswith("deedcheck/") or launched or judged


def joined(rows):
    """The rows of one file's sessions as one: sums of what is counted."""
    first = dict(rows[0])
    for row in rows[1:]:
        first["counts"] = added(first["counts"], row["counts"])
        first["quarantine"] = first["quarantine"] + row["quarantine"]
        if first["verdict"] != "read":
            first["verdict"], first["reasons"] = row["verdict"], row["reasons"]
    return first


def added(one, two):
    if isinstance(one, dict):
        keys = sorted(one.keys() | two.keys())
        return {key: added(one.get(key), two.get(key)) for key in keys}
    return two if one is None else one if two is None else one + two


def corpus_files(corpus):
    """Every file that may be a transcript, dotted names too, in a fixed order."""
    found = []
    for folder, _, names in os.walk(corpus):
        found += [
            os.path.join(folder, name)
            for name in names
            if name.endswith(SUFFIXES) and not name.endswith(".meta.json")  # a sidecar
        ]
    return sorted(found)


def program_rows(binary, corpus):
    """{file: session row, those of one file summed} of the program, or exit 2."""
    with tempfile.TemporaryFile() as out:
        run = subprocess.run(
            [binary, "grade", "--format", "jsonl", corpus], stdout=out, stderr=subprocess.PIPE
        )
        if run.returncode not in (0, 1):  # 1: graded, and something was found
            print(f"{binary}: exit {run.returncode}: {run.stderr.decode(errors='replace')}")
            sys.exit(2)
        out.seek(0)
        rows = {}
        for number, line in enumerate(out, 1):
            try:
                row = json.loads(line)
            except ValueError:
                print(f"{binary}: row {number} is no JSON")
                sys.exit(2)
            if row.get("kind") != "session":
                continue
            rows.setdefault(row["file"], []).append(row)
    return {name: joined(found) for name, found in rows.items()}


def differences(ours, theirs):
    """[(key, reader's value, program's value)]."""
    return [
        (key, ours.get(key), value)
        for key, value in theirs.items()
        if value is not None and ours.get(key) != value
    ]


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    binary, corpus = arguments
    corpus = os.path.normpath(corpus)
    lead = os.path.basename(os.path.abspath(corpus))
    rows = program_rows(binary, corpus)
    if not rows:
        print("the program wrote no session row")
        return 1
    bad = compared = unread = 0
    by_key = {}
    known = known_differences()
    for path in corpus_files(corpus):
        name = lead + "/" + os.path.relpath(path, corpus).replace(os.sep, "/")
        ours = reader.read_file(path)
        row = rows.pop(name, None)
        if row is None and is_passed_over(path, name, ours):
            continue
        if row is not None and ours["status"] == "unreadable: zstd":
            unread += 1  # by the reader, for want of a decoder
            continue
        if row is None:
            print(f"{name}: no row; the reader says {ours['format']}, {ours['status']}")
            by_key["(no row)"] = by_key.get("(no row)", 0) + 1
            bad += 1
            continue
        compared += 1
        found = differences(ours, mapped(row))
        if name in known:
            if found:
                continue
            found = [("known.json", "a difference", "none")]
        for key, want, got in found:
            print(f"{name}: {key}: reader {want}, program {got}")
            by_key[key] = by_key.get(key, 0) + 1
        bad += bool(found)
    for name in sorted(rows):
        print(f"{name}: a row of the program's only")
        bad += 1
    seen = f"{compared} files compared, {unread} packed with zstd"
    print(f"{seen}, {bad} differ: {json.dumps(by_key, sort_keys=True)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
