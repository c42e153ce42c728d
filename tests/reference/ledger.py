"""Bytes to records: where every byte of a transcript goes.

Each decompressed byte is exactly one of record, separator, blank, BOM or
quarantined; `Ledger.check` proves it for every file that is read.
"""

import gzip
import json
import re
import zlib

BOM = b"\xef\xbb\xbf"
GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
WHITESPACE = b" \t\r"  # JSON's own whitespace, less the newline that ends a line
MAX_DEPTH = 127
TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\]]', re.DOTALL)
SURROGATE = re.compile("[\ud800-\udfff]")


class Unreadable(Exception):
    """The file's container can't be opened; the text says which and why."""


def no_constant(name):
    """NaN and the infinities are no JSON."""
    raise ValueError(name)


class Number:
    """A number, which is no text: nothing that is read of a record is one, and one of ten
    thousand digits must not be an error."""

    def __init__(self, text):
        self.text = text


DECODER = json.JSONDecoder(parse_int=Number, parse_float=Number, parse_constant=no_constant)


def decompress(data):
    """The file's own bytes, gzip undone; told apart by magic bytes alone."""
    if data.startswith(ZSTD_MAGIC):
        raise Unreadable("unreadable: zstd")
    if data.startswith(GZIP_MAGIC):
        try:
            return gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            raise Unreadable("unreadable: gzip") from None
    return data


def depth_of(text):
    """(deepest nesting, depth at the end, whether a string is left open).

    Stops counting at the close of the first balanced value.
    """
    depth = deepest = 0
    for match in TOKEN.finditer(text):
        token = match.group()
        if token in (b"{", b"["):
            depth += 1
            deepest = max(deepest, depth)
        elif token in (b"}", b"]"):
            depth -= 1
            if depth <= 0:
                return deepest, 0, False
        elif len(token) == 1 or not token.endswith(b'"'):
            return deepest, depth, True
        elif _escaped_end(token):
            return deepest, depth, True
    return deepest, depth, False


def _escaped_end(token):
    """Whether the quote that ends this token is itself escaped."""
    body = token[1:-1]
    return (len(body) - len(body.rstrip(b"\\"))) % 2 == 1


def replace_surrogates(value):
    """A lone surrogate is no character: U+FFFD takes its place."""
    if isinstance(value, str):
        return SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [replace_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {replace_surrogates(k): replace_surrogates(v) for k, v in value.items()}
    return value


def raw_decode(data, start):
    """The JSON value at `start` and the offset after it, or None.

    Latin-1 maps each byte to one character, so that offsets stay byte
    offsets; the value itself is then decoded from UTF-8, lossily.
    """
    try:
        _, end = DECODER.raw_decode(data.decode("latin-1"), start)
    except (ValueError, RecursionError):
        return None
    text = data[start:end].decode("utf-8", "replace")
    value = DECODER.raw_decode(text)[0]
    if "\\ud" in text.lower():  # only an escape can make a surrogate
        value = replace_surrogates(value)
    return value, end


class Ledger:
    """The records of one file and where every other byte went."""

    def __init__(self, data):
        self.size = len(data)
        self.records = []  # (offset, object)
        self.quarantined = []  # [offset, length, reason]
        self.whole = False  # the file is one JSON value, not lines
        self.record_bytes = self.separator_bytes = self.blank_bytes = self.bom_bytes = 0
        if data.startswith(BOM):
            self.bom_bytes = len(BOM)
        body = data[self.bom_bytes :]
        if not self._read_whole(body):
            self._read_lines(body)
        self.check()

    def check(self):
        lost = sum(length for _, length, _ in self.quarantined)
        total = self.record_bytes + self.separator_bytes + self.blank_bytes + self.bom_bytes + lost
        if total != self.size:
            raise AssertionError(f"byte ledger: {total} of {self.size}")

    def _add_record(self, offset, length, value):
        self.records.append((self.bom_bytes + offset, value))
        self.record_bytes += length

    def _quarantine(self, offset, length, reason):
        self.quarantined.append([self.bom_bytes + offset, length, reason])

    def _read_whole(self, body):
        """`claude -p --output-format json`: one array, or one result object
        spread over lines. Anything else is read line by line."""
        stripped = body.strip(WHITESPACE + b"\n")
        if not stripped or stripped[:1] not in b"[{":
            return False
        if stripped[:1] == b"{" and b"\n" not in stripped:
            return False  # one object on one line: the line reader does it
        if depth_of(stripped)[0] > MAX_DEPTH:
            return False
        start = body.index(stripped[:1])
        decoded = raw_decode(body, start)
        if decoded is None or decoded[1] != start + len(stripped):
            return False
        value, end = decoded
        if isinstance(value, dict):
            if value.get("type") != "result":
                return False
            self._add_record(start, end - start, value)
        else:
            self._read_array(body, start)
        self.whole = True
        lost = sum(length for _, length, _ in self.quarantined)
        self.separator_bytes = len(body) - self.record_bytes - lost
        return True

    def _read_array(self, body, start):
        """Each element of a whole-file array that is known to be well formed."""
        position = start + 1
        while True:
            while body[position : position + 1] in (b" ", b"\t", b"\r", b"\n", b","):
                position += 1
            if body[position : position + 1] == b"]":
                return
            value, end = raw_decode(body, position)
            if isinstance(value, dict):
                self._add_record(position, end - position, value)
            else:
                self._quarantine(position, end - position, "not-object")
            position = end

    def _read_lines(self, body):
        offset = 0
        lines = body.split(b"\n")
        for number, line in enumerate(lines):
            last = number == len(lines) - 1  # no newline follows
            newline = 0 if last else 1
            if not line.strip(WHITESPACE):
                self.blank_bytes += len(line) + newline
            else:
                self._read_line(line, offset, last, newline)
            offset += len(line) + newline

    def _read_line(self, line, offset, last, newline):
        """Objects one after another; what is none is quarantined to the line's end."""
        end_of_text = len(line.rstrip(WHITESPACE))
        position = 0
        taken = 0
        while True:
            while position < end_of_text and line[position] in WHITESPACE:
                position += 1
            if position >= end_of_text:
                break
            rest = line[position:end_of_text]
            decoded = self._object_at(rest)
            if decoded is None:
                self._quarantine(offset + position, len(rest), self._why(rest, last))
                taken += len(rest)
                break
            value, length = decoded
            self._add_record(offset + position, length, value)
            taken += length
            position += length
        self.separator_bytes += len(line) + newline - taken

    @staticmethod
    def _object_at(rest):
        """(object, length) if a whole object of lawful depth starts here."""
        if rest[:1] != b"{":
            return None
        # The count is a cheap proof that the depth can't be exceeded.
        if rest.count(b"{") + rest.count(b"[") > MAX_DEPTH and depth_of(rest)[0] > MAX_DEPTH:
            return None
        return raw_decode(rest, 0)

    @staticmethod
    def _why(rest, last):
        """The reason a line's rest is no object."""
        deepest, depth, open_string = depth_of(rest)
        if deepest > MAX_DEPTH:
            return "too-deep"
        decoded = raw_decode(rest, 0)
        if decoded is not None and decoded[1] == len(rest):
            return "not-object"
        if last:
            return "torn-last"
        if rest[:1] == b"{" and (depth > 0 or open_string):
            return "torn"
        return "not-json"
