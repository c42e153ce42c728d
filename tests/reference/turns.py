"""Turns and how they ended, the same for every client."""

LIMIT_TEXTS = (
    "you've hit your",
    "you\u2019ve hit your",
    "you have hit your",
    "you're out of extra usage",
    "you\u2019re out of extra usage",
    "you've reached your",
    "you\u2019ve reached your",
    "claude ai usage limit",
    "claude usage limit",
    "usage limit reached",
    "5-hour limit reached",
)


def type_of(value):
    """The `type` of a record or block; "(none)" if it has no type that is text."""
    kind = value.get("type")
    return kind if isinstance(kind, str) else "(none)"


def error_kind(text, code=None):
    """`limit` for a usage limit, else `api-error`."""
    low = text.strip().lower()
    if isinstance(code, str) and code in ("rate_limit", "usage_limit_exceeded"):
        return "limit"
    if low.startswith(LIMIT_TEXTS) or "usage limit" in low:
        return "limit"
    return "api-error"


class Turn:
    def __init__(self, opener, framed=False):
        self.opener = opener  # "operator", "prompt", "frame" or "agent"
        self.framed = framed
        self.frame_open = framed
        self.acted = False  # the agent called a tool or said something
        self.last = None  # the last act: "call", "text", "aside", "api-error", "limit"
        self.interrupted = False
        self.answered = False  # the client marks the last words as the answer that ends the turn
        self.calls_since_text = []

    def goes_on(self):
        """Whether the client's frame is open and the answer not yet given."""
        return self.frame_open and not self.answered

    def is_idle_command(self):
        idle = self.last is None and not self.interrupted
        return self.opener == "command" and idle

    def ended(self, is_last, has_result):
        if self.last in ("api-error", "limit"):
            return self.last
        if self.interrupted:
            return "interrupted"
        if is_last:
            waiting = any(not has_result(call) for call in self.calls_since_text)
            if self.goes_on() or waiting:
                return "running"
        return "closed" if self.last == "text" else "no-close"


class Book:
    """Counts calls, results, operator messages and turns of one file."""

    def __init__(self):
        self.calls = {}  # key -> True, in order of first sight
        self.result_keys = {}
        self.nameless = 0  # keys for calls and results that carry no id
        self.operator_messages = 0
        self.turns = []
        self.current = None
        self.frame_next = False  # a client stands ready: its next turn is framed
        self.opaque = {}
        self.copies = 0
        self.substance = False  # something other than bookkeeping was seen

    # -- what the adapters report ------------------------------------------

    def key(self, *parts):
        """A key from an id, or a fresh one when there is no id."""
        if isinstance(parts[-1], str) and parts[-1]:
            return parts
        self.nameless += 1
        return ("nameless", self.nameless)

    def see_opaque(self, name):
        self.opaque[name] = self.opaque.get(name, 0) + 1
        self.substance = True

    def call(self, key, main=True):
        """A tool call; only the file's own thread moves its turns."""
        self.substance = True
        if key in self.calls:
            return
        self.calls[key] = True
        if main:
            turn = self._acting()
            turn.last = "call"
            turn.answered = False
            turn.calls_since_text.append(key)

    def result(self, key):
        self.substance = True
        self.result_keys[key] = True

    def text(self, aside=False, answer=False):
        """Words; those that the client marks as said on the way are no close."""
        turn = self._acting()
        turn.answered = answer
        if not aside or turn.last != "text":
            turn.last = "aside" if aside else "text"
        if not aside:
            turn.calls_since_text = []

    def error(self, kind, opens=True):
        """An API error or limit in place of the agent's words; with `opens`
        false it is the client's own event, which is no act of the agent."""
        self.substance = True
        if self.current is None and not opens:
            return
        turn = self._acting()
        turn.last = kind
        turn.calls_since_text = []

    def interrupt(self):
        if self.current is not None:
            self.current.interrupted = True
            self.current.frame_open = False

    def operator(self, opens=True, command=False):
        """The human's message; `opens` is false for one typed ahead."""
        self.operator_messages += 1
        if command:
            self.open("command")
        elif self.current is not None and not opens and self.current.opener == "command":
            self.current.opener = "operator"
        elif opens or self.current is None:
            self.open("operator")

    def open(self, opener, framed=False):
        self.substance = self.substance or opener != "command"
        self.current = Turn(opener, framed or self.frame_next)
        self.frame_next = False
        self.turns.append(self.current)

    def close_current(self):
        """No turn is open any more: the next act or message opens one."""
        self.current = None

    def _acting(self):
        self.substance = True
        if self.current is None:
            self.open("agent")
        self.current.acted = True
        self.current.interrupted = False
        return self.current

    # -- what comes out ----------------------------------------------------

    def own_turns(self):
        """Without the commands that the client carried out by itself."""
        return [turn for turn in self.turns if not turn.is_idle_command()]

    def counts(self):
        pairs = sum(1 for key in self.calls if key in self.result_keys)
        ended = {}
        turns = self.own_turns()
        for turn in turns:
            word = turn.ended(turn is self.turns[-1], lambda key: key in self.result_keys)
            ended[word] = ended.get(word, 0) + 1
        return {
            "opaque": dict(sorted(self.opaque.items())),
            "copies": self.copies,
            "calls": len(self.calls),
            "results": len(self.result_keys),
            "pairs": pairs,
            "orphan_calls": len(self.calls) - pairs,
            "orphan_results": len(self.result_keys) - pairs,
            "operator_messages": self.operator_messages,
            "turns": len(turns),
            "ended": dict(sorted(ended.items())),
        }
