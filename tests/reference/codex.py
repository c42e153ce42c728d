"""Codex: rollouts (both shapes), `exec --json`, the old event stream."""

import datetime
import re

from turns import error_kind, type_of

ENVELOPES = {
    "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state",
    "inter_agent_communication", "inter_agent_communication_metadata", "token_usage_record",
}  # fmt: skip
CALLS = {"function_call", "custom_tool_call", "local_shell_call", "web_search_call"}
OUTPUTS = {"function_call_output", "custom_tool_call_output", "local_shell_call_output"}
QUIET_ITEMS = {
    "message", "reasoning", "ghost_snapshot", "tool_search_call", "tool_search_output",
    "image_generation_call",
}  # fmt: skip
BARE_ITEMS = CALLS | OUTPUTS | {"message", "reasoning"}
ITEM_CALLS = {
    "commandexecution", "filechange", "mcptoolcall", "websearch", "collabagenttoolcall",
}  # fmt: skip
QUIET_COMPLETED = {"reasoning", "plan", "extension", "subagentactivity"}
# Events whose fact stands elsewhere, or that say nothing of the conversation.
END_EVENTS = {"exec_command_end", "patch_apply_end", "mcp_tool_call_end"}
QUIET_EVENTS = {
    "turn.completed", "codex/event/raw_item",  # usage alone and raw stream chunks, in some wrapped rollouts
    "token_count", "agent_reasoning", "agent_reasoning_raw_content", "context_compacted",
    "web_search_end", "guardian_assessment", "thread_name_updated", "thread_settings_applied",
    "thread_goal_updated", "thread_rolled_back", "entered_review_mode", "exited_review_mode",
    "sub_agent_activity", "collab_agent_spawn_end", "collab_agent_interaction_end",
    "collab_waiting_end", "collab_close_end", "image_generation_end", "view_image_tool_call",
    "dynamic_tool_call_request", "dynamic_tool_call_response", "undo_completed",
    "item_started", "item_updated",
}  # fmt: skip
FRAME_START = {"task_started", "turn_started"}
FRAME_END = {"task_complete", "turn_complete"}

INJECTED = (
    "<environment_context", "# AGENTS.md instructions", "<user_instructions", "<turn_aborted",
    "<subagent_notification", "<skill", "<user_shell_command", "<collaboration_mode",
    "<model_switch", "<personality_spec", "<INSTRUCTIONS",
)  # fmt: skip
PICTURE_TAG = re.compile(r"\s*</?image\b[^>]*>\s*\Z")
UUID7 = re.compile(r"([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
# The parent's history is written in one burst; a live record comes this much later.
BURST_MS = 1000


def payload_of(record):
    payload = record.get("payload")
    return payload if isinstance(payload, dict) else {}


def texts_of(content):
    """The texts of a message, whatever the case of the block types is."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    texts = []
    for block in content:
        if not isinstance(block, dict) or not isinstance(block.get("text"), str):
            continue
        if str(block.get("type")).lower() in ("text", "input_text", "output_text"):
            texts.append(block["text"])
    return texts


def has_picture(content):
    return isinstance(content, list) and any(
        isinstance(b, dict) and "image" in str(b.get("type")).lower() for b in content
    )


def human_text(content):
    """The text of a user message less what the harness put in it, or None."""
    kept = [t for t in texts_of(content) if not PICTURE_TAG.match(t)]
    kept = [t for t in kept if t.strip() and not t.lstrip().startswith(INJECTED)]
    if kept:
        return "".join(kept).strip()
    return "" if has_picture(content) and not texts_of(content) else None


# -- the copied history of a fork ------------------------------------------


def uuid7_ms(value):
    match = UUID7.match(value) if isinstance(value, str) else None
    return int(match.group(1) + match.group(2), 16) if match else None


def stamp_ms(value):
    try:
        moment = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    except (AttributeError, ValueError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.timezone.utc)
    return round(moment.timestamp() * 1000)


def copied_range(records):
    """[first, end) of the parent's history in a fork, or an empty range.

    A fork has, before anything of the conversation, a second session_meta
    with another id: the parent's, and the parent's whole history after it.
    """
    if not records or records[0].get("type") != "session_meta":
        return 0, 0
    own = payload_of(records[0])
    second = None
    for index, record in enumerate(records[1:], 1):
        if record.get("type") == "session_meta":
            if payload_of(record).get("id") != own.get("id"):
                second = index
                break
        elif type_of(record) in ("response_item", "event_msg"):
            break
    if second is None:
        return 0, 0
    return second, first_own(records, second, own)


def first_own(records, second, own):
    """Where the fork's own records start."""
    born = uuid7_ms(own.get("id"))
    turn_ids = [uuid7_ms(payload_of(r).get("turn_id")) for r in records]
    if born is not None and any(ms is not None for ms in turn_ids[second:]):
        for index in range(second, len(records)):
            if turn_ids[index] is not None and turn_ids[index] >= born:
                return index
        return len(records)
    started = stamp_ms(own.get("timestamp")) or stamp_ms(records[0].get("timestamp"))
    before = stamp_ms(records[second].get("timestamp"))
    for index in range(second + 1, len(records)):
        now = stamp_ms(records[index].get("timestamp"))
        if now is None:
            continue
        late = started is None or now >= started
        if late and before is not None and now - before >= BURST_MS:
            return index
        before = now
    return len(records)


# -- rollouts ---------------------------------------------------------------


class Voices:
    """The same message stands in up to three voices: once is enough.

    The n-th message of a text counts where the best voice that has n of
    them put it: the model's record, else item_completed, else the event.
    """

    ORDER = ("response", "item", "event")

    def __init__(self):
        self.said = {}  # (role, text) -> {voice: [index]}

    def hear(self, role, text, voice, index):
        by_voice = self.said.setdefault((role, text), {v: [] for v in self.ORDER})
        by_voice[voice].append(index)

    def kept(self):
        """{(index, role)} of the messages that count."""
        kept = set()
        for (role, _), by_voice in self.said.items():
            for n in range(max(len(indexes) for indexes in by_voice.values())):
                voice = next(v for v in self.ORDER if len(by_voice[v]) > n)
                kept.add((by_voice[voice][n], role))
        return kept


def read(records, book, form):
    objects = [record for _, record in records]
    if form in ("codex-rollout", "codex-rollout-bare"):
        Rollout(book).run(objects)
    elif form == "codex-exec":
        Exec(book).run(objects)
    else:
        OldExec(book).run(objects)


class Rollout:
    def __init__(self, book):
        self.book = book
        self.subagent = False
        self.response_ids = set()
        self.asked = None

    def run(self, objects):
        first, end = copied_range(objects)
        self.book.copies = end - first
        own = objects[:first] + objects[end:] if end > first else objects
        meta = next((payload_of(r) for r in own if r.get("type") == "session_meta"), {})
        source = meta.get("source")
        self.subagent = meta.get("thread_source") == "subagent" or (
            isinstance(source, dict) and "subagent" in source
        )
        facts = [self.fact(record) for record in own]
        for kind, body in facts:
            if kind == "item" and type_of(body) in CALLS:
                self.response_ids.add(self.id_of(body))
        kept = self.hear(facts).kept()
        for index, (kind, body) in enumerate(facts):
            for role in ("user", "assistant"):
                if (index, role) in kept:
                    item = body.get("item") if isinstance(body.get("item"), dict) else {}
                    self.message(role, body.get("phase") or item.get("phase"))
            self.step(kind, body)

    @staticmethod
    def id_of(call):
        """A call's `call_id`, else its own `id`, if that is text."""
        for value in (call.get("call_id"), call.get("id")):
            if isinstance(value, str) and value:
                return value
        return None

    @staticmethod
    def fact(record):
        """("item", response item) | ("event", event) | ("quiet", …) | ("opaque", name)."""
        kind = type_of(record)
        if kind == "response_item" and isinstance(record.get("payload"), dict):
            return "item", record["payload"]
        if kind == "event_msg" and isinstance(record.get("payload"), dict):
            return "event", record["payload"]
        if kind in ENVELOPES:
            return "quiet", record
        if kind in BARE_ITEMS | QUIET_ITEMS and "payload" not in record:
            return "item", record
        if "type" not in record and ("record_type" in record or "instructions" in record):
            return "quiet", record
        return "opaque", {"type": kind}

    @staticmethod
    def hear(facts):
        voices = Voices()
        for index, (kind, body) in enumerate(facts):
            name = type_of(body)
            item = body.get("item") if isinstance(body.get("item"), dict) else {}
            done = type_of(item).lower() if name == "item_completed" else ""
            if kind == "item" and name == "message":
                role, content, voice = body.get("role"), body.get("content"), "response"
            elif kind == "event" and name in ("user_message", "agent_message"):
                role = "user" if name == "user_message" else "assistant"
                content, voice = body.get("message"), "event"
            elif kind == "event" and done in ("usermessage", "agentmessage"):
                role = "user" if done == "usermessage" else "assistant"
                content, voice = item.get("content"), "item"
            else:
                continue
            if role == "user":
                text = human_text(content)
            elif role == "assistant":
                text = "".join(texts_of(content)).strip() or None
            else:
                text = None
            if text is not None:
                voices.hear(role, text, voice, index)
        return voices

    def message(self, role, phase):
        turn = self.book.current
        if role == "user" and turn is not None and turn.frame_open and turn.answered:
            self.book.frame_next = True  # what is asked after the answer stands in the same frame
        if role == "assistant":
            self.book.text(phase == "commentary", phase == "final_answer")
        elif self.subagent:
            if turn is None or not turn.goes_on():
                self.book.open("prompt")
        else:
            self.book.operator(opens=turn is None or not turn.goes_on())

    def step(self, kind, body):
        name = type_of(body)
        if kind == "opaque":
            self.book.see_opaque(name)
        elif kind == "item":
            self.item(name, body)
        elif kind == "event":
            self.event(name, body)

    def item(self, name, body):
        if name == "message":
            self.within(body)
        elif name in CALLS:
            key = self.book.key(self.id_of(body))
            self.book.call(key)
            if name == "web_search_call":  # it carries its own outcome
                self.book.result(key)
        elif name in OUTPUTS:
            self.book.result(self.book.key(body.get("call_id")))
        elif name == "reasoning":
            self.book.substance = True
        elif name not in QUIET_ITEMS:
            self.book.see_opaque(f"response_item/{name}")

    def within(self, body):
        """Old rollouts hold a call in a message; the next message of a function answers it."""
        if isinstance(body.get("function_call"), dict):
            self.asked = self.book.key(f"in message {len(self.book.calls)}")
            self.book.call(self.asked)
        elif body.get("role") in ("function", "tool") and self.asked is not None:
            self.book.result(self.asked)
            self.asked = None

    def event(self, name, body):
        if name in FRAME_START:
            self.frame()
        elif name in FRAME_END:
            if isinstance(body.get("error"), dict):  # newer clients tell a failure here only
                self.fault(body["error"])
            if self.book.current is not None:
                self.book.current.frame_open = False
        elif name == "turn_aborted":
            self.book.interrupt()
        elif name == "error":
            self.fault(body)
        elif name == "item_completed":
            self.completed(body.get("item"))
        elif name in END_EVENTS:
            key = self.book.key(body.get("call_id"))
            if key in self.book.calls:
                self.book.result(key)
        elif name not in QUIET_EVENTS and name not in ("user_message", "agent_message"):
            self.book.see_opaque(f"event_msg/{name}")

    def fault(self, body):
        text = body.get("message") if isinstance(body.get("message"), str) else ""
        self.book.error(error_kind(text, body.get("codex_error_info")), opens=False)

    def frame(self):
        """A frame opens a turn, or takes in the prompt that stands just before it."""
        turn = self.book.current
        if turn is not None and not turn.framed and not turn.acted and turn.opener != "agent":
            turn.framed = turn.frame_open = True
        else:
            self.book.open("frame", framed=True)

    def completed(self, item):
        item = item if isinstance(item, dict) else {}
        kind = type_of(item).lower()
        if kind in ITEM_CALLS:
            key = self.book.key(item.get("id"))
            if key[0] not in self.response_ids:
                self.book.call(key)
            elif kind == "collabagenttoolcall":
                return  # its call's own output tells it
            self.book.result(key)
        elif kind not in QUIET_COMPLETED and kind not in ("usermessage", "agentmessage"):
            self.book.see_opaque(f"item_completed/{type_of(item)}")


# -- exec --json ------------------------------------------------------------

EXEC_CALLS = {
    "command_execution", "file_change", "mcp_tool_call", "web_search", "collab_tool_call",
}  # fmt: skip
EXEC_QUIET = {"reasoning", "todo_list", "plan", "error"}


class Exec:
    def __init__(self, book):
        self.book = book
        self.process = 0

    def run(self, objects):
        for record in objects:
            kind = type_of(record)
            if kind == "thread.started":
                self.process += 1  # item ids start again
                self.book.close_current()
            elif kind == "turn.started":
                self.book.open("frame", framed=True)
            elif kind in ("turn.completed", "turn.failed"):
                self.end(kind, record)
            elif kind in ("item.started", "item.updated", "item.completed"):
                self.item(kind, record.get("item"))
            elif kind != "error":  # `error` is a retry, never the end
                self.book.see_opaque(kind)

    def end(self, kind, record):
        if kind == "turn.failed":
            error = record.get("error")
            text = error.get("message") if isinstance(error, dict) else error
            self.book.error(error_kind(text if isinstance(text, str) else ""), opens=False)
        if self.book.current is not None:
            self.book.current.frame_open = False

    def item(self, kind, item):
        item = item if isinstance(item, dict) else {}
        name = item.get("item_type") if "type" not in item else type_of(item)
        name = name if isinstance(name, str) else "(none)"
        if name in EXEC_CALLS:
            key = self.book.key(self.process, item.get("id"))
            self.book.call(key)
            if kind == "item.completed":
                self.book.result(key)
        elif name in ("agent_message", "assistant_message"):
            if kind == "item.completed" and str(item.get("text") or "").strip():
                self.book.text()
        elif name not in EXEC_QUIET:
            self.book.see_opaque(f"item/{name}")


class OldExec:
    """`{id, msg: {type}}`, the event stream of 0.2x."""

    BEGIN = {"exec_command_begin", "mcp_tool_call_begin", "patch_apply_begin", "web_search_begin"}
    END = {"exec_command_end", "mcp_tool_call_end", "patch_apply_end", "web_search_end"}
    QUIET = {
        "token_count", "agent_reasoning", "agent_reasoning_delta", "agent_message_delta",
        "agent_reasoning_section_break", "session_configured", "exec_command_output_delta",
        "turn_diff", "plan_update", "background_event", "stream_error", "agent_reasoning_raw_content",
    }  # fmt: skip

    def __init__(self, book):
        self.book = book

    def run(self, objects):
        for record in objects:
            message = record.get("msg")
            if isinstance(message, dict):
                self.event(type_of(message), message)
            else:
                self.book.see_opaque("(none)")

    def event(self, name, body):
        if name in FRAME_START:
            Rollout.frame(self)
        elif name in FRAME_END:
            if self.book.current is not None:
                self.book.current.frame_open = False
        elif name == "turn_aborted":
            self.book.interrupt()
        elif name == "error":
            text = body.get("message") if isinstance(body.get("message"), str) else ""
            self.book.error(error_kind(text), opens=False)
        elif name == "user_message":
            turn = self.book.current
            self.book.operator(opens=turn is None or not turn.goes_on())
        elif name == "agent_message":
            if str(body.get("message") or "").strip():
                self.book.text()
            if self.book.current is not None:  # no event tells the end of a turn
                self.book.current.frame_open = False
        elif name in self.BEGIN:
            self.book.call(self.book.key(body.get("call_id")))
        elif name in self.END:
            self.book.result(self.book.key(body.get("call_id")))
        elif name not in self.QUIET:
            self.book.see_opaque(f"msg/{name}")
