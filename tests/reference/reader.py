#!/usr/bin/env python3
"""The second reader of transcripts: slow, obvious, independent of the program.

    reader.py FILE…          one JSON object a line for each file
    reader.py --stdin-paths  the same, paths from standard input

README.md beside this file is the contract that both readers keep.
"""

import json
import os
import sys

import claude
import codex
from ledger import Ledger, Unreadable, decompress
from turns import Book, type_of

SAMPLE = 100  # records looked at to tell the format
FORMATS = (
    "claude-json",
    "codex-rollout",
    "codex-rollout-bare",
    "codex-exec",
    "codex-exec-old",
    "claude-stream",
    "claude-session",
    "claude-journal",
)


def vote(record, first):
    """The format that one record speaks for, or None."""
    kind = None if record.get("type") is None else type_of(record)
    if isinstance(record.get("payload"), dict) and isinstance(record.get("type"), str):
        if "timestamp" in record or kind in codex.ENVELOPES:
            return "codex-rollout"
    if isinstance(kind, str) and kind.startswith(("thread.", "turn.", "item.")):
        return "codex-exec"
    if isinstance(record.get("msg"), dict) and "id" in record:
        return "codex-exec-old"
    if kind == "error" and isinstance(record.get("message"), str) and "session_id" not in record:
        return "codex-exec"
    if kind is None and first and {"id", "timestamp", "instructions"} <= record.keys():
        return "codex-rollout-bare"
    if kind is None and record.get("record_type") == "state":
        return "codex-rollout-bare"
    if kind in claude.STREAM_TYPES and "session_id" in record and "sessionId" not in record:
        return "claude-stream"
    if kind in claude.JOURNAL_TYPES and "key" in record and "agentId" in record:
        return "claude-journal"
    message = record.get("message")
    foreign = isinstance(message, dict) and "parts" in message  # another client's words in the same envelope
    if kind in claude.SESSION_TYPES and "sessionId" in record and not foreign:
        return "claude-session"
    if kind == "summary" and "summary" in record:
        return "claude-session"
    if kind == "file-history-snapshot":
        return "claude-session"
    if kind in codex.BARE_ITEMS and "sessionId" not in record and is_bare_item(record):
        return "codex-rollout-bare"
    return None


def is_bare_item(record):
    """A response item without its envelope carries its fields on its own level."""
    if record["type"] == "message":
        return "role" in record and "content" in record
    if record["type"] == "reasoning":
        return "summary" in record or "content" in record
    return "call_id" in record or record["type"] == "web_search_call"


def sniff(ledger):
    """The format most of the first records speak for, if at least half do."""
    sample = [record for _, record in ledger.records[:SAMPLE]]
    if not sample:
        return "unknown"
    votes = dict.fromkeys(FORMATS, 0)
    for index, record in enumerate(sample):
        form = vote(record, index == 0)
        if form is not None:
            votes[form] += 1
    best = max(FORMATS, key=lambda form: votes[form])  # the first of equals
    if votes[best] * 2 < len(sample):
        return "unknown"
    whole = ledger.whole or len(sample) == len(ledger.records) == 1
    if best == "claude-stream" and whole:
        if ledger.whole or sample[0].get("type") == "result":
            return "claude-json"
    return best


def status(form, ledger, book):
    if not ledger.records and not ledger.quarantined:
        return "empty"
    if form == "unknown":
        return "foreign" if ledger.records else "dark"
    if book.own_turns():
        return "ok"
    if book.substance or ledger.quarantined:
        return "dark"
    return "no-conversation"


def read(data):
    """The row of one file, without its name."""
    try:
        ledger = Ledger(decompress(data))
    except Unreadable as error:
        return {"format": "unknown", "status": str(error)}
    form = sniff(ledger)
    book = Book()
    if form.startswith("claude"):
        claude.read(ledger.records, book, form)
    elif form.startswith("codex"):
        codex.read(ledger.records, book, form)
    return {
        "format": form,
        "status": status(form, ledger, book),
        "records": len(ledger.records),
        "quarantined": ledger.quarantined,
        "separator_bytes": ledger.separator_bytes,
        "blank_bytes": ledger.blank_bytes,
        "bom_bytes": ledger.bom_bytes,
        "record_bytes": ledger.record_bytes,
        "bytes": ledger.size,
        **book.counts(),
    }


def read_file(path):
    with open(path, "rb") as handle:
        return {"file": path.replace(os.sep, "/"), **read(handle.read())}


def main(arguments):
    if arguments == ["--stdin-paths"]:
        paths = [line.rstrip("\n") for line in sys.stdin if line.strip()]
    elif arguments and not arguments[0].startswith("--"):
        paths = arguments
    else:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    for path in paths:
        print(json.dumps(read_file(path), ensure_ascii=True))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
