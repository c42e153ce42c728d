"""Claude Code: session files, `-p` output, workflow journals."""

import re

from turns import error_kind, type_of

SESSION_TYPES = {
    "user", "assistant", "system", "progress", "attachment", "queue-operation",
    "summary", "file-history-snapshot", "last-prompt", "ai-title", "custom-title",
    "mode", "permission-mode", "agent-name", "agent-setting", "pr-link", "bridge-session",
    "worktree-state", "frame-link", "relocated", "atis-latch", "tag", "content-replacement",
}  # fmt: skip
STREAM_TYPES = {
    "system", "assistant", "user", "result", "stream_event", "rate_limit_event",
    "control_request", "control_response",
}  # fmt: skip
JOURNAL_TYPES = {"started", "result"}
CONVERSATION = {"user", "assistant"}
# Blocks that are read, and blocks that carry nothing to count.
PLAIN_BLOCKS = {
    "text", "thinking", "redacted_thinking", "tool_use", "tool_result", "image", "document",
}  # fmt: skip

# Elements that stand beside what the human typed: they are cut out.
BESIDE_TAGS = ("system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics")
BESIDE_ELEMENT = re.compile(
    r"<(" + "|".join(BESIDE_TAGS) + r")\b[^>]*>.*?(?:</\1>|\Z)", re.DOTALL
)
INTERRUPT = "[Request interrupted by user"
HARNESS_STARTS = (
    INTERRUPT,
    "This session is being continued",
    "Caveat:",
    "Base directory for this skill:",
    "[Image: source",
    "Stop hook feedback:",
    # Texts that are the harness's from end to end once they start so. A slash
    # command (<command-name>, <command-message>) is the human's act: not here.
    "<task-notification",
    "<bash-notification",
    "<local-command-caveat",
    "<local-command-stdout",
    "<local-command-stderr",
    "<bash-input",
    "<bash-stdout",
    "<bash-stderr",
)
COMMAND_STARTS = ("<command-name>", "<command-message>")
NO_RESPONSE = "No response requested."
ERROR_STARTS = (
    "API Error", "Request timed out", "Prompt is too long", "Invalid API key", "Not logged in",
    "Autocompact is thrashing", "Credit balance is too low", "Please run /login",
    "You're out of extra usage", "You've hit your", "Claude AI usage limit",
)  # fmt: skip


def is_human_text(text):
    """Whether anything is left once the harness's own text is taken away."""
    left = BESIDE_ELEMENT.sub("", text).strip()
    return bool(left) and not left.startswith(HARNESS_STARTS)


def blocks_of(content):
    """A message's content as blocks, or None if it has no known shape."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if isinstance(content, list):
        return [block for block in content if isinstance(block, dict)]
    return None


def text_of(block):
    text = block.get("text")
    return text if isinstance(text, str) else ""


def is_sidechain(record, stream):
    if stream:
        return record.get("parent_tool_use_id") is not None
    return record.get("isSidechain") is True


def read(records, book, form):
    """Reports a Claude file to the book, record by record, in file order."""
    if form == "claude-journal":
        return
    Reader(book, form).run([record for _, record in records])


class Reader:
    def __init__(self, book, form):
        self.book = book
        self.stream = form in ("claude-stream", "claude-json")
        self.subagent_file = False
        self.prompts = 0
        self.busy = False  # in a stream's run, the agent acted already
        self.news = False  # a background task's news came since the last run of a stream ended
        self.queue = []  # [text, whether a record of its own told it], typed ahead
        self.given = []  # texts taken from the queue since the last prompt

    def run(self, records):
        talk = [r for r in records if type_of(r) in CONVERSATION]
        self.subagent_file = bool(talk) and all(is_sidechain(r, self.stream) for r in talk)
        seen = set()
        for record in records:
            uuid = record.get("uuid")
            if isinstance(uuid, str) and uuid:
                if uuid in seen:
                    self.book.copies += 1
                    continue
                seen.add(uuid)
            self.record(record)
        if self.subagent_file:
            self.warm_up([r for r in records if type_of(r) == "assistant"])

    def warm_up(self, answers):
        """A request that the client makes for itself: one answer, and nothing else, is no turn."""
        book = self.book
        if len(answers) == 1 and not book.calls and not book.result_keys and not self.prompts:
            if [(turn.opener, turn.last) for turn in book.turns] == [("agent", "text")]:
                book.turns = []
                book.substance = bool(book.opaque)

    def record(self, record):
        kind = type_of(record)
        main = self.subagent_file or not is_sidechain(record, self.stream)
        if kind == "assistant":
            self.assistant(record, main)
        elif kind == "user":
            self.user(record, main)
        elif kind == "progress":
            self.progress(record)
        elif kind == "attachment":
            self.attachment(record, main)
        elif kind == "queue-operation":
            self.queue_operation(record)
        elif self.stream and kind == "system" and record.get("subtype") == "init":
            turn = self.book.current
            if turn is not None and self.news:
                turn.frame_open = True  # it goes on for the news
            elif turn is None or turn.acted:  # a prompt may stand before its init
                self.book.close_current()
                self.book.frame_next = True
            else:
                turn.frame_open = True
            self.news = self.busy = False
        elif self.stream and kind == "system" and record.get("subtype") == "task_notification":
            self.news = self.news or not self.busy
        elif self.stream and kind == "result":
            self.run_result(record)
        elif kind not in (STREAM_TYPES if self.stream else SESSION_TYPES):
            self.book.see_opaque(kind)

    def content(self, record):
        message = record.get("message")
        blocks = blocks_of(message.get("content")) if isinstance(message, dict) else None
        if blocks is None:
            self.book.see_opaque(record["type"] + "/malformed")
            return []
        return blocks

    def assistant(self, record, main):
        for block in self.content(record):
            kind = type_of(block)
            if kind == "tool_use":
                self.book.call(self.book.key(block.get("id")), main)
                self.busy = self.busy or main
            elif kind == "text":
                if main and text_of(block).strip():
                    self.say(record, text_of(block))
            elif kind in ("thinking", "redacted_thinking"):
                self.book.substance = True
            elif kind not in PLAIN_BLOCKS:
                self.book.see_opaque(f"block/{kind}")

    def say(self, record, text):
        """The agent's words, or what the client puts in its mouth."""
        model = record["message"].get("model")
        flagged = record.get("isApiErrorMessage") is True
        code = record.get("error")
        if self.stream and isinstance(code, str):
            flagged = True
        if model == "<synthetic>" and text.strip() == NO_RESPONSE:
            return
        if flagged or (model == "<synthetic>" and text.strip().startswith(ERROR_STARTS)):
            self.book.error(error_kind(text, code))
        else:
            self.book.text()
            self.busy = True

    def user(self, record, main):
        blocks = self.content(record)
        for block in blocks:
            kind = type_of(block)
            if kind == "tool_result":
                self.book.result(self.book.key(block.get("tool_use_id")))
            elif kind not in PLAIN_BLOCKS:
                self.book.see_opaque(f"block/{kind}")
        if not main or record.get("isMeta") is True or record.get("isCompactSummary") is True:
            return
        texts = [text_of(block) for block in blocks if block.get("type") == "text"]
        if any(text.strip().startswith(INTERRUPT) for text in texts):
            self.book.interrupt()
        origin = record.get("origin")
        origin = origin.get("kind") if isinstance(origin, dict) else None
        if origin == "task-notification":
            return
        pictures = any(block.get("type") == "image" for block in blocks)
        results = any(block.get("type") == "tool_result" for block in blocks)
        human = any(is_human_text(text) for text in texts)
        words = "\n\n".join(t for t in texts if is_human_text(t)) if human else "".join(texts)
        if human or (pictures and not texts and not results):
            self.prompt(origin, words)
        else:
            self.leave_queue(words)

    def prompt(self, origin, words):
        """A message to this file's agent: the human's, or the parent's."""
        self.prompts += 1
        self.news = False
        again = words.strip() in self.given
        self.given = []
        self.leave_queue(words)
        if words.strip().startswith(COMMAND_STARTS) and not (again or self.subagent_file):
            self.book.operator(command=True)
        elif self.subagent_file and (self.prompts == 1 or origin != "human"):
            self.book.open("prompt")
        elif again:
            self.book.open("operator")  # counted when it was typed ahead
        else:
            self.book.operator()

    def leave_queue(self, words):
        """What stands as a record of its own waits no longer, whatever the queue says."""
        for entry in self.queue:
            if entry[0].strip() == words.strip():
                self.queue.remove(entry)
                return

    def queue_operation(self, record):
        """Older clients tell text that was typed while the agent worked here only: put in,
        then removed when the agent is given it. What is dequeued follows as a prompt."""
        operation = record.get("operation")
        if operation == "enqueue":
            text = record.get("content")
            self.queue.append([text if isinstance(text, str) else "", False])
        elif operation in ("dequeue", "remove"):
            text, told = self.queue.pop(0) if self.queue else ("", True)
            if operation == "remove" and not told and is_human_text(text):
                self.given.append(text.strip())
                self.book.operator(opens=False)
        else:
            self.queue = []

    def progress(self, record):
        """agent_progress carries a subagent's whole messages: calls and results."""
        data = record.get("data")
        if not isinstance(data, dict) or data.get("type") != "agent_progress":
            return
        inner = data.get("message")
        message = inner.get("message") if isinstance(inner, dict) else None
        blocks = blocks_of(message.get("content")) if isinstance(message, dict) else None
        for block in blocks or []:
            if block.get("type") == "tool_use" and inner.get("type") == "assistant":
                self.book.call(self.book.key(block.get("id")), main=False)
            elif block.get("type") == "tool_result":
                self.book.result(self.book.key(block.get("tool_use_id")))

    def attachment(self, record, main):
        """queued_command is what the human typed while the agent worked."""
        body = record.get("attachment")
        if not main or not isinstance(body, dict) or body.get("type") != "queued_command":
            return
        if body.get("commandMode") == "task-notification":
            return
        origin = body.get("origin")
        origin = origin.get("kind") if isinstance(origin, dict) else None
        if origin == "task-notification" or (self.subagent_file and origin != "human"):
            return
        blocks = blocks_of(body.get("prompt")) or []
        texts = [text_of(block) for block in blocks if block.get("type") == "text"]
        pictures = any(block.get("type") == "image" for block in blocks)
        words = "\n\n".join(texts).strip()
        if words in self.given:
            self.given.remove(words)
        elif any(is_human_text(text) for text in texts) or (pictures and not texts):
            for entry in self.queue:
                if entry[0].strip() == words and not entry[1]:
                    entry[1] = True
                    break
            self.book.operator(opens=False)

    def run_result(self, record):
        """The line that ends a `-p` run. Its text repeats the close, so it counts
        as the agent's words only where no turn is open that has them."""
        text = record.get("result")
        text = text if isinstance(text, str) else ""
        subtype = str(record.get("subtype") or "")
        if record.get("is_error") is True and subtype == "success":
            self.book.error(error_kind(text))
        elif subtype == "error_max_turns":
            pass  # the caller's own bound: the turn is left without a close
        elif subtype.startswith("error"):
            self.book.error("limit" if subtype.startswith("error_max_") else error_kind(text))
        elif text.strip() and (self.book.current is None or not self.book.current.acted):
            self.book.text()
        self.news = self.busy = False
        self.book.frame_next = False
        if self.book.current is not None:
            self.book.current.frame_open = False
