"""Makes two recordings of one case the same: ids, times, paths and the client's own long texts.

Shapes stay: a UUID stays a UUID of its version, a prefixed id keeps its prefix, a time keeps its
precision, a line keeps the order of its fields. Only what differs from run to run, and what the
client's makers wrote, is replaced.
"""
import bisect
import datetime
import json
import os
import re

CUT = "[client text cut]"
LONG = 240  # characters; texts of the client itself above this are cut
BASE = datetime.datetime(2026, 3, 2, tzinfo=datetime.timezone.utc)
STEP_MS = 400
JITTER_MS = 100
NEAR_MS = 2500
UUID = re.compile(r"(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-([47])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-f])")
ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)")
# Clocks that programs print into their own output.
PRINTED = [
    (re.compile(r"(Ran \d+ tests? in \d+)\.\d+s"), r"\g<1>.001s"),
    (re.compile(r"(duration_ms:? )\d+\.\d+"), r"\g<1>1.5"),
    (re.compile(r"(\"duration_seconds\": ?)\d+\.\d+"), r"\g<1>0.1"),
    (re.compile(r"(duration_ms:? )\d+(?![\d.])"), r"\g<1>250"),
    (re.compile(r"\(\d+(?:\.\d+)?ms\)"), "(1.5ms)"),
]
REMINDER = re.compile(r"(<system-reminder>\n)[^<]{120,}(\n</system-reminder>)")
WALL = re.compile(r"Wall time: (\d+)\.(\d+) seconds")
SPANS = ("duration_ms", "durationMs", "duration_api_ms", "totalDurationMs", "ttft_ms", "ttft_stream_ms",
         "time_to_request_ms", "time_to_first_token_ms", "retry_delay_ms", "retryInMs", "elapsed_ms")
LISTINGS = ("slash_commands", "agents", "skills", "plugins", "names", "addedLines", "addedTypes", "commands")


class Ids:
    """Gives out replacements in the order of first sight."""

    def __init__(self, number, base_ms):
        self.number = number
        self.base_ms = base_ms
        self.known = {}
        self.counts = {}

    def next(self, kind):
        self.counts[kind] = self.counts.get(kind, 0) + 1
        return self.counts[kind]

    def give(self, kind, old, make):
        if (kind, old) not in self.known:
            self.known[kind, old] = make(self.next(kind))
        return self.known[kind, old]

    def uuid(self, match):
        if match.group(1) == "4":
            return self.give("uuid", match.group(0),
                             lambda n: f"{0x5e550000 + self.number:08x}-{n:04x}-4000-8000-{n:012x}")
        head = f"{self.base_ms:012x}"
        return self.give("uuid", match.group(0),
                         lambda n: f"{head[:8]}-{head[8:]}-7{n:03x}-8000-{self.number:04x}{n:08x}")


class Clock:
    """Maps the times of one recording to a fixed base, one step per line, in the order in which they were stamped."""

    def __init__(self, stamps, start, end, base):
        self.start, self.end, self.base = start, end, base
        # A line is ranked by its time, then by its place: equal milliseconds must not decide anything.
        ranked = sorted(stamps)
        self.real = {place: value for value, place in stamps}
        self.values = [value for value, _ in ranked]
        self.of_line = {place: self.at(rank) for rank, (_, place) in enumerate(ranked)}

    def at(self, rank):
        return round(self.base.timestamp() * 1000) + rank * STEP_MS

    def inside(self, ms):
        return self.start - 5000 <= ms <= self.end + 5000

    def moved(self, ms, place):
        # A line without a time of its own lives at the time of the line before it.
        place = next(((place[0], n) for n in range(place[1], -1, -1) if (place[0], n) in self.of_line), None)
        if place is not None and abs(self.real[place] - ms) < NEAR_MS:
            return self.of_line[place]
        return self.at(max(0, bisect.bisect_right(self.values, ms) - 1))



def parse_iso(text):
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def show_iso(ms, like):
    moment = datetime.datetime.fromtimestamp(ms / 1000, datetime.timezone.utc)
    digits = len(like.split(".")[1].rstrip("Z").split("+")[0]) if "." in like else 0
    text = moment.strftime("%Y-%m-%dT%H:%M:%S")
    if digits:
        text += "." + f"{moment.microsecond:06d}".ljust(9, "0")[:digits]
    return text + ("Z" if like.endswith("Z") else "+00:00")


def stamps_of(lines, place):
    """The times of the lines of one file, with their places."""
    last = 0
    for number, line in enumerate(lines):
        found = json.loads(line)
        stamp = found.get("timestamp") if isinstance(found, dict) else None
        if isinstance(stamp, str) and ISO.fullmatch(stamp):
            ms = parse_iso(stamp)
            # Lines that are written together differ by chance; a true step back is longer.
            ms = last if last - JITTER_MS < ms < last else ms
            last = ms
            yield ms, (place, number)


class Recording:
    """The files of one case, as (name, lines), on their way to being golden."""

    def __init__(self, case, root, start, end):
        self.case, self.root = case, str(root)
        self.slug = re.sub(r"[^A-Za-z0-9]", "-", self.root)
        self.start, self.end = start * 1000, end * 1000
        self.base = BASE + datetime.timedelta(hours=case["number"])
        self.ids = Ids(case["number"], round(self.base.timestamp() * 1000))
        self.begun = {}
        self.today = {datetime.datetime.fromtimestamp(t, datetime.timezone.utc) for t in (start, end)}

    def normalise(self, files):
        names = list(files)
        texts = {name: self.reorder(files[name]) for name in names}
        self.collect("\n".join("\n".join(texts[name]) for name in names))
        stamps = [stamp for place, name in enumerate(names) for stamp in stamps_of(texts[name], place)]
        self.clock = Clock(stamps, self.start, self.end, self.base)
        done = {}
        for place, name in enumerate(names):
            lines = [self.line(line, (place, no), name) for no, line in enumerate(texts[name])]
            done[self.words(name)] = lines
        return done

    def reorder(self, lines):
        for line in lines:
            if json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":")) != line:
                # Such a line cannot be rebuilt from its value; it must be looked at before it becomes golden.
                raise RuntimeError(f"a line does not survive parsing: {line[:200]}")
        return lines

    def collect(self, text):
        """Finds the ids that have no shape of their own by the fields that carry them."""
        self.plain = {}
        for pattern, kind, make in (
            (r'"agentId":"(a[0-9a-f]{16})"', "agent", lambda n: f"a{self.case['number']:04x}{n:012x}"),
            (r'"agentId":"([0-9a-f]{8})"', "agent", lambda n: f"{self.case['number']:04x}{n:04x}"),
            (r'"(?:backgroundTaskId|task_id|taskId)":"(b[a-z0-9]{8})"', "task",
             lambda n: f"b{self.case['number']:04d}{n:04d}"),
            (r'"backupFileName":"([0-9a-f]{16})@', "backup", lambda n: f"{self.case['number']:04x}{n:012x}"),
            (r'"runId":"(wf_[0-9a-f]{8}-[0-9a-f]{3})"', "workflow", lambda n: f"wf_{self.case['number']:08x}-{n:03x}"),
            (r'"taskId":"(w[a-z0-9]{8})"', "task", lambda n: f"w{self.case['number']:04d}{n:04d}"),
            (r'"(?:hash|shapeHash)":"([0-9a-f]{64})"', "shape", lambda n: f"{self.case['number']:032x}{n:032x}"),
            (r'"slug":"([a-z]+(?:-[a-z]+)+)"', "slug", lambda n: f"plain-golden-page-{n}"),
            # Codex draws the names of its subagents from a list of mathematicians.
            (r'\\?"(?:agent_)?nickname\\?": ?\\?"([A-Z][\w.-]*)\\?"', "nickname", lambda n: f"Agent{chr(64 + n)}"),
            (r'(?:"process_id":"|session ID )(\d+)', "process", lambda n: str(10000 + n)),
        ):
            for old in re.findall(pattern, text):
                self.plain[old] = self.ids.give(kind, old, make)

    def words(self, text):
        text = text.replace(self.root, "").replace(self.slug, "")
        text = re.sub(r"/tmp/claude-\d+/", "/tmp/claude-1000/", text)
        text = re.sub(r"127\.0\.0\.1:\d+", "model.invalid", text)
        text = UUID.sub(self.ids.uuid, text)
        for old, new in self.plain.items():
            if old.isdigit():
                text = re.sub(rf'(session ID |"session_id": ?|^)({old})(?=\D|$)', rf"\g<1>{new}", text)
            else:
                text = re.sub(rf"(?<![A-Za-z0-9]){old}(?![A-Za-z0-9])", new, text)
        text = re.sub(r"(Chunk ID: )([0-9a-f]{6})\b", lambda m: m.group(1) + self.ids.give(
            "chunk", m.group(2), lambda n: f"{0xc00000 + n:06x}"), text)
        text = WALL.sub(lambda m: f"Wall time: 0.{'25'.ljust(len(m.group(2)), '0')[:len(m.group(2))]} seconds", text)
        text = REMINDER.sub(rf"\g<1>{CUT}\g<2>", text)
        for pattern, new in PRINTED:
            text = pattern.sub(new, text)
        text = re.sub(r"rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d", self.base.strftime("rollout-%Y-%m-%dT%H-%M-%S"), text)
        text = re.sub(r"sessions/\d{4}/\d\d/\d\d/", self.base.strftime("sessions/%Y/%m/%d/"), text)
        for day in self.today:
            text = text.replace(day.strftime("%Y-%m-%d"), self.base.strftime("%Y-%m-%d"))
        return text

    def line(self, line, place, name):
        value = json.loads(line)
        value = self.walk(value, place, "")
        if isinstance(value, dict) and {"workdir", "provider", "approval"} <= set(value):
            value = dict(sorted(value.items()))  # Old releases of Codex shuffle the fields of this one line.
        self.cut(value)
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def walk(self, value, place, key):
        if isinstance(value, dict):
            if set(value) == {"secs", "nanos"}:
                return {"secs": 0, "nanos": 250000000}
            # Keys can be ids too (maps of agents, of models in use).
            done = {self.words(k): self.walk(v, place, k) for k, v in value.items()}
            if key == "changes":
                done = dict(sorted(done.items()))  # Codex keeps the files of a patch in no order.
            if "started_at" in done and "turn_id" in done:
                # Whole seconds cannot be placed among lines: what the start of the turn said holds for its end.
                done["started_at"] = self.begun.setdefault(done["turn_id"], done["started_at"])
            return done
        if key == "chunk" and isinstance(value, list) and all(isinstance(v, int) for v in value):
            # Old releases of Codex write the output of a program as a list of bytes.
            return list(self.words(bytes(value).decode("utf-8", "replace")).encode())
        if isinstance(value, list):
            return [self.walk(v, place, key) for v in value]
        if isinstance(value, bool) or value is None:
            return value
        if isinstance(value, (int, float)):
            return self.number(value, place, key)
        if ISO.fullmatch(value) and self.clock.inside(parse_iso(value)):
            return show_iso(self.clock.moved(parse_iso(value), place), value)
        return self.words(self.clocks_in(value, place))

    def clocks_in(self, text, place):
        def moved(match):
            ms = parse_iso(match.group(0))
            return show_iso(self.clock.moved(ms, place), match.group(0)) if self.clock.inside(ms) else match.group(0)
        return ISO.sub(moved, text)

    def number(self, value, place, key):
        if key == "pid":
            return 4242
        if key in SPANS:
            return 250
        if self.clock.inside(value):
            return type(value)(self.clock.moved(value, place))
        if self.clock.inside(value * 1000):
            moved = self.clock.moved(value * 1000, place) / 1000
            return moved if isinstance(value, float) else int(moved)
        if key == "session_id" and str(value) in self.plain:
            return int(self.plain[str(value)])
        return value

    def cut(self, value):
        """Cuts what the makers of the client wrote, never what the model or a program said."""
        if isinstance(value, list):
            for inner in value:
                self.cut(inner)
            return
        payload = value.get("payload") if isinstance(value.get("payload"), dict) else {}
        kind = value.get("type")
        if kind in ("session_meta", "world_state", "turn_context", "compacted"):
            stub(payload)
        elif payload.get("role") == "developer":
            # What a case itself lays before the model is ours.
            own = "\n".join(self.case["files"].values())
            for part in payload.get("content") or []:
                if part.get("text", "") not in own:
                    part["text"] = CUT
        elif payload.get("role") == "user":
            # Codex puts its own instructions into a user message; the tags tell readers what it is.
            for part in payload.get("content") or []:
                text = part.get("text", "")
                if text.startswith("# AGENTS.md instructions") and len(text) > LONG:
                    head = text.split("\n\n<INSTRUCTIONS>")[0]
                    part["text"] = f"{head}\n\n<INSTRUCTIONS>\n{CUT}\n</INSTRUCTIONS>"
        elif kind == "attachment":
            attached = value.get("attachment", {})
            if attached.get("type") == "prompt_snapshot":
                # The client's own instructions, and the descriptions of its tools.
                attached |= {key: [CUT] for key in ("systemPrompt", "tools") if attached.get(key)}
            stub(attached)
            stub(value.get("rendered", []))
        elif kind in ("api-request-shape", "api-request-blob"):
            # The whole request once more: nothing of it is ours that does not stand in the session.
            value["shape" if kind == "api-request-shape" else "message"] = {}
        elif kind == "system":
            stub(value)
            if "tools" in value:
                value["tools"] = [t for t in value["tools"] if t in self.used()]

    def used(self):
        names = set()
        for turn in self.case["turns"]:
            names |= set(re.findall(r'"tool": "(\w+)"', json.dumps(turn["replies"])))
        return names


def stub(value, longest=LONG, keys=None):
    """Replaces long strings, and the lists that name the client's commands, agents and skills."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(items):
        if isinstance(inner, str):
            if len(inner) > longest and (keys is None or key in keys):
                value[key] = CUT
        elif isinstance(inner, list) and key in LISTINGS and inner:
            value[key] = [CUT]
        elif isinstance(inner, (dict, list)):
            stub(inner, longest, keys)


def leaks(text, root):
    """What must not stand in a golden file: names of this machine, its paths, its day."""
    now = datetime.datetime.now(datetime.timezone.utc)
    bad = {root, os.path.expanduser("~") + "/", os.getcwd(), now.strftime("%Y-%m-%d"), now.strftime("%Y/%m/%d"),
           now.strftime("%b %d %Y"), "/var/tmp/rec", "-var-tmp-rec", "127.0.0.1", "SCRIPTED_KEY"}
    if len(os.uname().nodename) > 3:
        bad.add(os.uname().nodename)
    return sorted(b for b in bad if b in text)
