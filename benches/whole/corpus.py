#!/usr/bin/env python3
"""Makes large sets of distinct sessions for the whole-command benchmark.

Every copy of a seed session gets other ids (uuids, session, message, tool, call and turn ids), other
file names inside its text and other words for a share of them: consistently inside one copy, and
differently between copies, so that no copy is taken for the resumed history of another. The same
arguments give the same bytes.

    corpus.py OUT                    from the golden sessions
    corpus.py OUT --from DIR         from the sessions under DIR

OUT gets three folders: many/ (sessions of natural sizes, at least --bytes), one/ (one session of
--bytes) and ten/ (ten sessions of a tenth each, of the same turns). Nothing of it is for committing.
"""

import argparse
import hashlib
import json
import math
import os
import random
import re
import sys
from pathlib import Path

GOLDEN = Path(__file__).resolve().parents[2] / "golden"

# An escape comes first, so that the letter of `\n` is never taken for the start of a word.
TOKEN = re.compile(
    rb"\\u[0-9a-fA-F]{4}|\\."
    rb"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    rb"|[A-Za-z_][A-Za-z0-9_]*|[0-9][A-Za-z0-9_]{7,}"
)
UUID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
# Ids that carry their kind in front, and ids that are named by their key.
PREFIXED = re.compile(rb"(?:msg|toolu|call|req|resp|fc|rs|item|ctc|srvtoolu|agent)_[A-Za-z0-9_]{6,}\Z")
ID_KEYS = {
    "agentId", "agent_id", "backgroundTaskId", "bash_id", "callID", "call_id", "id", "messageId",
    "message_id", "parent_tool_use_id", "promptId", "requestId", "request_id", "response_id",
    "sessionId", "session_id", "shell_id", "task_id", "thread_id", "tool_use_id", "turn_id", "uuid",
}
FILE_STEM = re.compile(
    rb"([A-Za-z_][A-Za-z0-9_]{2,})\.(?:rs|py|pyi|js|jsx|ts|tsx|go|java|c|h|cc|cpp|rb|sh|sql|css|html|md|txt|csv|yaml|yml|toml|json)\b"
)
# Words that a grader reads with meaning; a copy that lost them would be graded another way.
KEPT = set(
    b"""actually address already another because before between cannot changed cleanly committed compile compiled
    completed complete confirm confirmed correct correctly created delete deleted deployed directory documentation
    entirely error errors everything exactly execute executed existing expected failed failing failure failures
    finished fixed fixing follow function functions implement implementation implemented includes installed
    instead integration checked checking library manually migration modified nothing output package passed passes
    passing pending please possible previously problem produce project publish published pushed question reading
    refactor refactored removed renamed replace replaced repository request required resolved restart result
    results return returned returns running should skipped something successful successfully successful support
    therefore through together unchanged unittest unverified updated updates upgrade verified verifies verify
    version warning warnings whether without working written pytest cargo python python3 javascript typescript
    powershell docker kubectl gradle mvn requirements pyproject package tsconfig makefile dockerfile readme
    conftest __init__ lib main mod index setup claude codex git npm pip node make bash jsonl json test tests""".split()
)


class Names:
    """New names for one copy, told by the copy's number alone."""

    LOWER = b"abcdefghijklmnopqrstuvwxyz"
    DIGITS = b"0123456789"
    HEX = b"0123456789abcdef"

    def __init__(self, seed: int, copy: int):
        self.salt = f"{seed}/{copy}".encode()
        self.known: dict[bytes, bytes] = {}

    def of(self, token: bytes) -> bytes:
        name = self.known.get(token)
        if name is None:
            name = self.known[token] = self.make(token)
        return name

    def noise(self, token: bytes, length: int) -> bytes:
        out = b""
        while len(out) < length:
            out += hashlib.blake2b(token + len(out).to_bytes(4, "big"), key=self.salt).digest()
        return out

    def make(self, token: bytes) -> bytes:
        noise = self.noise(token, len(token))
        if UUID.match(token):
            out = bytearray(self.HEX[n & 15] for n in noise)
            for at in (8, 13, 14, 18, 19, 23):
                # Hyphens, and the nibbles that tell the version and the variant.
                out[at] = token[at]
            return bytes(out)
        start = token.rfind(b"_") + 1 if PREFIXED.match(token) else 0
        body = token[start:]
        is_hex = any(c in self.DIGITS for c in body) and all(c in self.HEX for c in body)
        out = bytearray(token[:start])
        for at in range(start, len(token)):
            old, n = token[at], noise[at]
            if is_hex and at > start:
                out.append(self.HEX[n & 15])
            elif old in self.LOWER:
                out.append(self.LOWER[n % 6 if is_hex else n % 26])
            elif old in self.DIGITS:
                out.append(self.DIGITS[n % 10])
            elif 65 <= old <= 90:
                out.append(self.LOWER[n % 26] - 32)
            else:
                out.append(old)
        return bytes(out)


class Template:
    """A text cut at what a copy changes."""

    def __init__(self, text: bytes, changes):
        literals, slots, seen = [b""], [], {}
        at = 0
        for match in TOKEN.finditer(text):
            token = match.group()
            if token in changes:
                literals[-1] = text[at : match.start()]
                slots.append(seen.setdefault(token, len(seen)))
                literals.append(b"")
                at = match.end()
        literals[-1] = text[at:]
        self.parts = [b""] * (2 * len(literals) - 1)
        self.parts[0::2] = literals
        self.slots = slots
        self.tokens = list(seen)

    def fill(self, name) -> bytes:
        names = [name(token) for token in self.tokens]
        parts = self.parts.copy()
        parts[1::2] = [names[slot] for slot in self.slots]
        return b"".join(parts)


class Seed:
    """One seed file."""

    def __init__(self, path: Path, root: Path):
        self.relative = str(path.relative_to(root).with_suffix("")).encode()
        self.text = path.read_bytes()
        self.keys, self.ids = set(), set()
        self.client, self.session, self.sessions = None, None, set()
        self.last_uuid, self.plain = None, True
        for line in self.text.splitlines():
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict):
                self.look(record)
        # What carries several sessions, an agent's file or copied history is never strung together.
        self.growable = self.plain and self.client is not None and len(self.sessions) == 1

    def look(self, record: dict):
        self.walk(record)
        kind, payload = record.get("type"), record.get("payload")
        if isinstance(record.get("sessionId"), str):
            self.client = "claude"
            self.sessions.add(record["sessionId"])
            self.plain &= not record.get("isSidechain") and "forkedFrom" not in record
            self.last_uuid = record.get("uuid") or self.last_uuid
        elif isinstance(payload, dict) and kind in ("session_meta", "response_item", "event_msg"):
            self.client = "codex"
            if kind == "session_meta" and isinstance(payload.get("id"), str):
                self.sessions.add(payload["id"])
                self.plain &= not payload.get("forked_from_id") and not payload.get("parent_thread_id")
        elif kind in ("thread.started", "system") and ("thread_id" in record or "session_id" in record):
            self.client, self.plain = self.client or "stream", False
        self.session = next(iter(self.sessions), None)

    def walk(self, value, key=None):
        """Takes names of fields, which must stay, and ids, which must change."""
        stack = [(key, value)]
        while stack:
            key, value = stack.pop()
            if isinstance(value, dict):
                self.keys.update(k for k in value if len(k) < 60)
                stack.extend(value.items())
            elif isinstance(value, list):
                stack.extend((key, item) for item in value)
            elif isinstance(value, str):
                if key in ("type", "subtype", "role", "name", "status", "phase", "reason", "operation"):
                    self.keys.add(value)
                elif key in ID_KEYS and 6 <= len(value) <= 64 and re.search("[0-9]", value):
                    self.ids.add(value.encode())
                elif value[:1] == "{" and key in ("arguments", "input", "output"):
                    try:
                        stack.append((None, json.loads(value)))
                    except ValueError:
                        pass


def changing(seeds: list[Seed], share: int):
    """What every copy renames: ids, stems of file names and one in `share` of the longer words."""
    keys = set(KEPT)
    for seed in seeds:
        keys.update(word for key in seed.keys for word in re.findall(rb"[A-Za-z_][A-Za-z0-9_]*", key.encode()))
    out = set()
    for seed in seeds:
        out |= seed.ids
        for token in set(TOKEN.findall(seed.text)):
            if UUID.match(token) or PREFIXED.match(token):
                out.add(token)
            elif len(token) >= 7 and token.isalpha() and token.islower() and token not in keys:
                if hashlib.blake2b(token).digest()[0] % share == 0:
                    out.add(token)
        for stem in set(FILE_STEM.findall(seed.text)):
            if stem not in keys and stem.lower() not in keys and not stem.startswith(b"test"):
                out.add(stem)
    return out


PARENT = b"ffffffff-0000-4000-8000-ffffffffffff"


class Grower:
    """Strings the turns of several seeds together to sessions of a wanted size."""

    def __init__(self, seeds: list[Seed], changes, seed: int):
        self.seed, self.copy = seed, 0
        changes = changes | {PARENT}
        self.kinds = {}
        for item in seeds:
            rest = b"".join(
                line for line in item.text.splitlines(keepends=True) if b'"type":"session_meta"' not in line
            )
            rest = rest.replace(b'"parentUuid":null', b'"parentUuid":"' + PARENT + b'"', 1)
            if not rest.endswith(b"\n"):
                continue
            entry = (item, Template(item.text, changes), Template(rest, changes))
            self.kinds.setdefault(item.client, []).append(entry)

    def grow(self, client: str, size: int, rng: random.Random, path: Path) -> int:
        """Writes one session of about `size` bytes; at least one seed's turns."""
        written, session, parent = 0, None, None
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as out:
            while written < size:
                item, first, rest = rng.choice(self.kinds[client])
                self.copy += 1
                names = Names(self.seed, self.copy)
                if session is not None:
                    names.known[item.session.encode()] = session
                    names.known[PARENT] = parent or names.of(PARENT)
                written += out.write((first if session is None else rest).fill(names.of))
                session = names.of(item.session.encode())
                if item.last_uuid:
                    parent = names.of(item.last_uuid.encode())
        name = f"{session.decode()}.jsonl"
        if client == "codex":
            name = f"rollout-2026-03-03T17-00-00-{name}"
        path.rename(path.with_name(name))
        return written


def copies(seeds: list[Seed], changes, args, out: Path) -> int:
    """Whole copies of the seed set, files in their places."""
    base = sum(len(item.text) for item in seeds)
    count = math.ceil(args.bytes / base)
    total = 0
    for number, names in enumerate([Names(args.seed, -1 - copy) for copy in range(count)]):
        for item in seeds:
            if not hasattr(item, "template"):
                item.template = Template(item.text, changes)
                item.place = Template(item.relative, changes)
            path = out / f"copy-{number:04}" / (item.place.fill(names.of).decode() + ".jsonl")
            path.parent.mkdir(parents=True, exist_ok=True)
            total += path.write_bytes(item.template.fill(names.of))
        names.known.clear()
    return total


def grown(grower: Grower, args, out: Path) -> int:
    """Sessions whose sizes spread as real ones do: most below a megabyte, a few of tens."""
    rng, total, number = random.Random(args.seed), 0, 0
    while total < args.bytes:
        size = int(min(max(rng.lognormvariate(math.log(400_000), 1.5), 4_000), 40_000_000))
        client = "claude" if rng.random() < 0.6 else "codex"
        if client not in grower.kinds:
            client = next(iter(grower.kinds))
        total += grower.grow(client, size, rng, out / client / f"p{number % 64:02}" / f"{number}.tmp")
        number += 1
    return total


def gather(root: Path, least: int) -> list[Seed]:
    seeds, seen = [], set()
    for path in sorted(root.rglob("*.jsonl")):
        seed = Seed(path, root)
        digest = hashlib.sha256(seed.text).digest()
        if seed.client and len(seed.text) >= least and digest not in seen:
            seen.add(digest)
            seeds.append(seed)
    return seeds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="a folder that does not exist yet")
    parser.add_argument("--from", dest="root", type=Path, help="seed sessions (default: the golden ones)")
    parser.add_argument("--bytes", type=int, default=1_000_000_000, help="bytes of each set (default: 1 GB)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=int, default=4, help="one in this many of the longer words is renamed")
    parser.add_argument("--sets", default="many,one,ten", help="which sets to make")
    args = parser.parse_args()
    root = args.root or GOLDEN
    args.out.mkdir(parents=True)
    seeds = gather(root, 1)
    if not seeds:
        print(f"no session under {root}", file=sys.stderr)
        return 1
    changes = changing(seeds, args.share)
    # A few large seeds would make every long session the same; 4 MB each and 60 MB in all will do.
    rng, chosen, held = random.Random(args.seed), [], 0
    for item in rng.sample(seeds, len(seeds)):
        if item.growable and len(item.text) < 4_000_000 and held < 60_000_000:
            chosen.append(item)
            held += len(item.text)
    grower = Grower(chosen, changes, args.seed)
    sets = args.sets.split(",")
    facts = {"seeds": len(seeds), "seed_bytes": sum(len(item.text) for item in seeds)}
    if "many" in sets:
        make = copies if args.root else lambda _s, _c, a, o: grown(grower, a, o)
        facts["many"] = make(seeds, changes, args, args.out / "many")
    client = "claude" if "claude" in grower.kinds else "codex"
    if "one" in sets:
        facts["one"] = grower.grow(client, args.bytes, random.Random(args.seed), args.out / "one" / "x.tmp")
    if "ten" in sets:
        rng = random.Random(args.seed)
        facts["ten"] = sum(
            grower.grow(client, args.bytes // 10, rng, args.out / "ten" / f"{n}.tmp") for n in range(10)
        )
    facts["from"] = "golden" if args.root is None else "given"
    (args.out / "facts.json").write_text(json.dumps(facts) + "\n")
    print(json.dumps(facts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
