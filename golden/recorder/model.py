"""A model that only reads from a script, on a loopback port.

It speaks the two streaming protocols that the clients use: the Anthropic Messages API
(POST /v1/messages) and the OpenAI Responses API (POST /v1/responses). Every id it hands out is
computed from the place in the script, so two recordings agree on them.

A *reply* is a list of blocks:

    {"text": "..."}                                  words of the assistant
    {"thinking": "..."}                              reasoning
    {"tool": "Bash", "input": {...}}                 a call
    {"custom": "apply_patch", "input": "..."}        a free-form call (Codex)
    {"http": 429, "body": {...}, "headers": {...}}   an error instead of an answer; alone in its reply
    {"stall": 20}                                    stop sending for so many seconds; last in its reply

A call that launches one agent has its `agent`, a list of replies; one that launches several (a workflow) has `agents`,
each with its `prompt` and its `replies`.

Strings of a call's input may hold {{cwd}}, {{home}}, {{task}}, {{output}}, {{session}}, {{run}} and {{agent}}:
the last five stand for ids that the client made up and has shown to the model by then.
"""
import http.server
import json
import re
import threading
import time

SEEN = {
    "task": r"(?:with ID|task_id|Task ID)[^a-z0-9]{1,8}(b[a-z0-9]{8})\b",
    "output": r"written to: ([^\s\"\\]+\.output)",
    "session": r"session ID (\d+)",
    "agent": r"agentId: (a[0-9a-f]{16})",
    "run": r"(wf_[0-9a-f]{8}-[0-9a-f]{3})\b",
    "codex_agent": r"agent_id\W+([0-9a-f]{8}-[0-9a-f-]{27})",
}


class Queue:
    """The replies for one conversation (the session itself, or one subagent)."""

    def __init__(self, number):
        self.number = number
        self.replies = []
        self.served = 0


class Script:
    """Hands out the replies of a case, one conversation at a time."""

    def __init__(self, case):
        self.case = case
        self.asides = 0
        self.places = {}
        self.lock = threading.Lock()
        self.main = Queue(0)
        self.agents = []
        self.surprises = []

    def begin(self, turn):
        with self.lock:
            self.main.replies += turn["replies"]
            for reply in turn["replies"]:
                for block in reply:
                    if "agent" in block:
                        queue = Queue(len(self.agents) + 1)
                        queue.replies = list(block["agent"])
                        self.agents.append((agent_prompt(block["input"]), queue))
                    for own in block.get("agents", ()):
                        queue = Queue(len(self.agents) + 1)
                        queue.replies = list(own["replies"])
                        self.agents.append((own["prompt"], queue))

    def take(self, opening, seen):
        with self.lock:
            queue = next((q for prompt, q in self.agents if prompt in opening), self.main)
            number = queue.served
            queue.served += 1
            if number >= len(queue.replies):
                self.surprises.append(f"conversation {queue.number} asked for reply {number}")
                return queue.number, number, [{"text": "(nothing more in the script)"}]
            return queue.number, number, [self.filled(b, seen) for b in queue.replies[number]]

    def next_aside(self):
        with self.lock:
            self.asides += 1
            return self.asides

    def filled(self, block, seen):
        text = json.dumps(block, ensure_ascii=False)
        for name, pattern in SEEN.items():
            mark = "{{" + name + "}}"
            if mark in text:
                found = re.findall(pattern, seen)
                if not found:
                    self.surprises.append(f"no {name} was shown to the model yet")
                text = text.replace(mark, found[-1] if found else "missing")
        for name, value in self.places.items():
            text = text.replace("{{" + name + "}}", value)
        block = json.loads(text)
        # write_stdin wants a number, a placeholder can only be text.
        value = block.get("input")
        if isinstance(value, dict) and str(value.get("session_id", "")).isdigit():
            value["session_id"] = int(value["session_id"])
        return block

    def stamp(self, queue, reply, block=0):
        return f"{self.case:05d}{queue:03d}{reply:06d}{block:04d}"


def agent_prompt(call):
    return call.get("prompt") or call.get("message") or ""


def opening_of(request):
    """The text of the first user messages: it tells a subagent's conversation from its parent's."""
    if "messages" in request:
        return json.dumps(request["messages"][:1], ensure_ascii=False).replace("\\n", "\n").replace('\\"', '"')
    users = [m for m in request.get("input", []) if m.get("role") == "user"]
    return json.dumps(users, ensure_ascii=False).replace("\\n", "\n").replace('\\"', '"')


def usage_of(reply):
    return {"input_tokens": 120 + 40 * reply, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
            "output_tokens": 1}


def claude_events(script, queue, number, blocks, model):
    """The server-sent events of the Messages API, in the order in which the real service sends them."""
    stamp = script.stamp(queue, number)
    yield "message_start", {"message": {
        "id": f"msg_0100{stamp}00", "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage_of(number)}}
    for place, block in enumerate(blocks):
        if "stall" in block:
            yield "stall", block["stall"]
            continue
        if "text" in block:
            start = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": block["text"]}]
        elif "thinking" in block:
            start = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": block["thinking"]},
                      {"type": "signature_delta", "signature": "c2NyaXB0ZWQ="}]
        else:
            start = {"type": "tool_use", "id": f"toolu_0100{script.stamp(queue, number, place)}00",
                     "name": block["tool"], "input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": json.dumps(block["input"], ensure_ascii=False)}]
        yield "content_block_start", {"index": place, "content_block": start}
        for delta in deltas:
            yield "content_block_delta", {"index": place, "delta": delta}
        yield "content_block_stop", {"index": place}
    stop = "tool_use" if any("tool" in b for b in blocks) else "end_turn"
    yield "message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 60}}
    yield "message_stop", {}


def codex_events(script, queue, number, blocks):
    """The events of the Responses API that Codex acts on."""
    response = f"resp_{script.stamp(queue, number):0>48}"
    calls = any("tool" in b or "custom" in b for b in blocks)
    yield "response.created", {"response": {"id": response}}
    for place, block in enumerate(blocks):
        if "stall" in block:
            yield "stall", block["stall"]
            continue
        stamp = script.stamp(queue, number, place)
        if "text" in block:
            item = {"id": f"msg_{stamp:0>48}", "type": "message", "role": "assistant",
                    "phase": "commentary" if calls else "final_answer",
                    "content": [{"type": "output_text", "text": block["text"]}]}
        elif "thinking" in block:
            item = {"id": f"rs_{stamp:0>48}", "type": "reasoning",
                    "summary": [{"type": "summary_text", "text": block["thinking"]}]}
        elif "custom" in block:
            item = {"id": f"ctc_{stamp:0>48}", "type": "custom_tool_call", "status": "completed",
                    "name": block["custom"], "input": block["input"], "call_id": f"call_{stamp:0>24}"}
        else:
            item = {"id": f"fc_{stamp:0>48}", "type": "function_call", "name": block["tool"],
                    "arguments": json.dumps(block["input"], ensure_ascii=False), "call_id": f"call_{stamp:0>24}"}
            if "namespace" in block:
                item["namespace"] = block["namespace"]
        yield "response.output_item.done", {"output_index": place, "item": item}
    spent = 120 + 40 * number
    yield "response.completed", {"response": {"id": response, "usage": {
        "input_tokens": spent, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 60,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": spent + 60}}}


def handler_for(script, requests=None):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args):
            pass

        def send(self, status, body, kind="application/json", headers=()):
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_HEAD(self):
            self.send(200, b"")

        def do_GET(self):
            self.send(200, b'{"models":[],"data":[]}')

        def do_POST(self):
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            try:
                request = json.loads(raw)
            except ValueError:
                request = {}
            if requests is not None:
                requests.append((self.path, request))
            path = self.path.split("?")[0]
            if path.endswith("count_tokens"):
                return self.send(200, b'{"input_tokens":100}')
            codex = path.endswith("/responses")
            if not codex and not path.endswith("/messages"):
                return self.send(200, b"{}")
            self.answer(codex, request, raw.decode("utf-8", "replace"))

        def answer(self, codex, request, seen):
            # A request without tools is the client's own (a title, a summary): it costs no reply.
            if request.get("tools"):
                queue, number, blocks = script.take(opening_of(request), seen)
            else:
                queue, number, blocks = 900, script.next_aside(), [{"text": "ok"}]
            first = blocks[0] if blocks else {}
            if "http" in first:
                return self.send(first["http"], json.dumps(first["body"]).encode(),
                                 headers=list(first.get("headers", {}).items()))
            if codex:
                events = codex_events(script, queue, number, blocks)
            else:
                events = claude_events(script, queue, number, blocks, request.get("model"))
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("request-id", f"req_0100{script.stamp(queue, number)}00")
            self.send_header("connection", "close")
            self.end_headers()
            self.close_connection = True
            # One write up to a stall: the client must not begin to act in the middle of an answer, or its
            # own lines would race with the end of the answer.
            waiting = b""
            try:
                for name, data in events:
                    if name == "stall":
                        self.wfile.write(waiting)
                        self.wfile.flush()
                        waiting = b""
                        time.sleep(data)
                        continue
                    event = json.dumps({"type": name} | data, ensure_ascii=False)
                    waiting += f"event: {name}\ndata: {event}\n\n".encode()
                self.wfile.write(waiting)
            except OSError:
                pass  # The client hung up, as it does when it is interrupted.

    return Handler


def serve(script, requests=None):
    """Starts the server on a free loopback port and returns it with its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_for(script, requests))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"
