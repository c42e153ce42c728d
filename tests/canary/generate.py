#!/usr/bin/env python3
"""Makes test data for a privacy scanner: planted canaries and harmless look-alikes.

    python3 generate.py OUT [--seed N] [--canaries 10000] [--harmless 10000] [--wide]
    python3 generate.py --self-test [--seed N]

The same arguments give the same bytes. Nothing is read but the arguments.
"""
import argparse
import base64
import collections
import html
import html.entities
import itertools
import json
import os
import random
import re
import string
import unicodedata
import urllib.parse

FORMATS = ("json", "markdown", "html")
ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
URLSAFE = ALNUM + "-_"
INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"

# ---------------------------------------------------------------- made-up run


def pick(rng, alphabet, n):
    return "".join(rng.choice(alphabet) for _ in range(n))


def uuid4(rng):
    h = pick(rng, HEX, 32)
    return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-{rng.choice('89ab')}{h[17:20]}-{h[20:]}"


def uuid7(rng):
    h = pick(rng, HEX, 32)
    return f"019{h[3:8]}-{h[8:12]}-7{h[13:16]}-{rng.choice('89ab')}{h[17:20]}-{h[20:]}"


def slug(path):
    """The project folder name that Claude Code makes of a working directory."""
    return re.sub(r"[^A-Za-z0-9]", "-", unicodedata.normalize("NFC", path))


def make_values(rng):
    """A run that never took place: every name and id that it would bind."""
    homes = ["/home/mireille.d", "/Users/zoé.lefèvre", "C:\\Users\\karin.osei"]
    trees = ["/home/mireille.d/work/quay-seven", "/srv/bench-lantern/wt-harbour-3",
             unicodedata.normalize("NFD", "/Users/zoé.lefèvre/src/prüfstand"), "C:\\Users\\karin.osei\\src\\kiln"]
    sessions = [uuid4(rng) for _ in range(4)]
    threads = [uuid7(rng) for _ in range(3)] + ["thread_" + pick(rng, ALNUM, 24)]
    agents = [pick(rng, HEX, 16) + "f" for _ in range(3)] + ["agent-a" + pick(rng, HEX, 7)]
    rollouts = [f"rollout-2026-0{m}-1{d}T0{d}-2{m}-5{d}-{t}.jsonl" for m, d, t in zip((3, 4, 6), (4, 7, 2), threads)]
    claude = [f"projects/{slug(t)}/{s}.jsonl" for t, s in zip(trees, sessions)]
    sub = f"projects/{slug(trees[0])}/{sessions[0]}/subagents/agent-{agents[0]}.jsonl"
    codex = [f"sessions/2026/0{r[14]}/{r[16:18]}/{r}" for r in rollouts]
    locators = claude + [sub] + codex + ["arms/blue-lantern/Prüfung-été.jsonl"]
    table = {
        "identity": [f"run{rng.randint(2, 9)}.{arm}.task-{rng.randint(10, 40)}.{k}"
                     for k, arm in enumerate(("blue", "green", "amber", "violet"))],
        "label": ["blue-lantern-04", "harbour_gate_night", "Zweitprüfung-Süd", "attempt:ochre-kiln"],
        "session": sessions, "thread": threads, "agent": agents,
        "message": ["msg_01" + pick(rng, ALNUM, 22) for _ in range(3)] + ["msg_" + pick(rng, HEX, 48)],
        "call": ["toolu_01" + pick(rng, ALNUM, 22) for _ in range(2)] + ["call_" + pick(rng, ALNUM, 24) for _ in range(2)],
        "locator": locators, "base-name": [p.rsplit("/", 1)[1] for p in locators],
        "run-token": ["rt" + pick(rng, HEX, 30), "lantern." + pick(rng, ALNUM, 20)],
        "root": ["/srv/bench-lantern", "/home/mireille.d/bench-night", "D:\\bench-night\\in"],
        "work-tree": trees, "home": homes, "user": ["mireille.d", "zoé.lefèvre", "karin.osei"],
        "host": ["atelier-dijon-4", "build07.quay.internal", "MACBOOK-ZOE-3"],
        "sentinel": ["SENTINEL-" + pick(rng, HEX, 12), "hush{" + pick(rng, ALNUM, 16) + "}", "Örtlichkeit-" + pick(rng, HEX, 8)],
    }
    return [{"kind": kind, "value": value} for kind, values in table.items() for value in values]


# --------------------------------------------------------------------- shapes

PEOPLE = ("noor", "ilse.brandt", "tadeusz", "ana-maria", "josé", "bjørn", "okafor", "wren_h")
PLACES = ("src/ledger", "work/tide-tables", "Documents/offer/draft.md", "code/kelp/src/main.rs", "repos/osprey/notes.txt")


def posix(base):
    return lambda rng, values: f"{base}/{rng.choice(PEOPLE)}/{rng.choice(PLACES)}"


def under_root(rng, values):
    roots = [v["value"] for v in values if v["kind"] == "root" and v["value"].startswith("/")]
    return f"{rng.choice(roots)}/{rng.choice(PLACES)}"


def windows(rng, values):
    tail = rng.choice(PLACES).replace("/", "\\")
    return rng.choice([f"C:\\Users\\{rng.choice(PEOPLE)}\\{tail}", f"d:\\builds\\{tail}", f"E:\\{tail}"])


def home_slug(rng, values):
    return f"-{rng.choice(('home', 'Users'))}-{rng.choice(('noor', 'tadeusz', 'okafor'))}-{rng.choice(('src-ledger', 'work-tide-tables', 'code-kelp'))}"


def lossy_slug(rng, values):
    home = rng.choice(("/home/josé", "/Users/ilse.brandt", "/home/wren_h", "C:\\Users\\bjørn", "/Users/ana maria"))
    return slug(f"{home}/{rng.choice(('src/tide.tables', 'code/été_2', 'work/_kelp', 'src/a+b/ledger'))}")


def email(rng, values):
    return f"{rng.choice(('noor', 'ilse.brandt', 'tadeusz+lists', 'ana-maria', 'wren_h'))}@{rng.choice(('kontor-halle7.de', 'tidetables.org', 'mail.osprey-kelp.fr', 'quaywork.io'))}"


def b64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def jwt(rng):
    claims = {"sub": pick(rng, string.digits, 10), "iat": 1700000000 + rng.randrange(10 ** 7)}
    return ".".join((b64url(b'{"alg":"HS256","typ":"JWT"}'), b64url(json.dumps(claims).encode()), b64url(rng.randbytes(32))))


SECRETS = {
    "anthropic": lambda r: "sk-ant-api03-" + pick(r, URLSAFE, 93) + "AA",
    "openai": lambda r: "sk-proj-" + pick(r, ALNUM, 74) + "T3BlbkFJ" + pick(r, ALNUM, 74),
    "github": lambda r: "ghp_" + pick(r, ALNUM, 36),
    "github-fine": lambda r: "github_pat_" + pick(r, ALNUM, 22) + "_" + pick(r, ALNUM, 59),
    "aws": lambda r: "AKIA" + pick(r, string.ascii_uppercase + "234567", 16),
    "aws-pair": lambda r: "AKIA" + pick(r, string.ascii_uppercase + "234567", 16) + ":" + pick(r, ALNUM + "/+", 40),
    "google": lambda r: "AIzaSy" + pick(r, ALNUM, 33),
    "slack": lambda r: f"xoxb-{pick(r, string.digits, 12)}-{pick(r, string.digits, 13)}-{pick(r, ALNUM, 24)}",
    "stripe": lambda r: "sk_live_" + pick(r, ALNUM, 24),
    "npm": lambda r: "npm_" + pick(r, ALNUM, 36),
    "pypi": lambda r: "pypi-AgEIcHlwaS5vcmc" + pick(r, URLSAFE, 149) + "A",
    "pem": lambda r: f"-----BEGIN {r.choice(('', 'RSA ', 'EC ', 'OPENSSH '))}PRIVATE KEY-----",
    "jwt": jwt,
}
WIDE_SECRETS = {
    "openrouter": lambda r: "sk-or-v1-" + pick(r, HEX, 64),
    "webhook": lambda r: "whsec_" + pick(r, ALNUM, 32),
    "supabase": lambda r: "sbp_" + pick(r, HEX, 40),
}
SHAPES = [
    ("uuid", "v4", lambda r, v: uuid4(r)), ("uuid", "v7", lambda r, v: uuid7(r)),
    ("call-id", "claude", lambda r, v: "toolu_01" + pick(r, ALNUM, 22)),
    ("call-id", "codex", lambda r, v: "call_" + pick(r, ALNUM, 24)),
    ("posix-path", "home", posix("/home")), ("posix-path", "users", posix("/Users")), ("posix-path", "root", under_root),
    ("posix-path", "other", posix("/opt/agents")),
    ("windows-path", "drive", windows), ("windows-path", "drive-2", windows),
    ("home-slug", "plain", home_slug), ("home-slug", "lossy", lossy_slug), ("email", "", email), ("email", "2", email),
]
SHAPE_KINDS = tuple(dict.fromkeys(k for k, _, _ in SHAPES))

# ------------------------------------------------------------------ spellings
# Each takes the text so far and gives the disguised one. A unit is what a split must not cut.

UNIT = re.compile(r"%[0-9A-Fa-f]{2}|&[^;\s]+;|\\u[0-9A-Fa-f]{4}|\\[\x22\\/]|.[\u0300-\u036f]*", re.S)
NAMES = {}  # the shortest name of each character that has one
for _name, _char in sorted(html.entities.html5.items(), key=lambda nc: (len(nc[0]), nc[0].swapcase())):
    if _name.endswith(";") and len(_char) == 1:
        NAMES.setdefault(_char, _name)


def chosen(rng, text, must, share):
    """Which places are escaped: all that must be, a share of the rest, one at least."""
    marks = [c in must or rng.random() < share for c in text]
    marks[rng.randrange(len(text))] = True
    return zip(text, marks)


def cuts(rng, text, natural=False):
    """One to three places strictly inside the text, between units."""
    units = UNIT.findall(text)
    inside = range(2, len(units) - 1)
    after = [i for i in inside if units[i - 1] in "-/_.@:\\" and len(units[i - 1]) == 1] if natural else []
    places = after or list(inside)
    return units, set(rng.sample(places, min(len(places), rng.randint(1, 3))))


def split_with(rng, text, makers, natural=False):
    units, at = cuts(rng, text, natural)
    return "".join((makers(rng) if i in at else "") + u for i, u in enumerate(units))


def sp_slash(rng, t):
    return t.replace("\\", "/") if "\\" in t else t.replace("/", "\\")


def sp_case(rng, t):
    ways = [t.upper(), t.lower(), t.swapcase(), "".join(rng.choice((c.upper(), c.lower())) for c in t)]
    return rng.choice([w for w in ways if w != t])


def sp_unicode(rng, t):
    forms = [f for f in (unicodedata.normalize("NFD", t), unicodedata.normalize("NFC", t)) if f != t]
    share = rng.choice((0.3, 1))
    wide = "".join(chr(ord(c) + 0xFEE0) if m and "!" <= c <= "~" else c for c, m in chosen(rng, t, "/-_.", share))
    return rng.choice(forms) if forms and rng.random() < 0.6 else wide


def sp_invisible(rng, t):
    return split_with(rng, t, lambda r: r.choice(INVISIBLE))


def sp_lines(rng, t, natural):
    return split_with(rng, t, lambda r: r.choice(("\n", "\n", "\r\n")) + " " * r.choice((0, 2, 4)), natural)


def sp_tags(rng, t):
    makers = ("<wbr>", "<b></b>", "<!-- -->", "<span></span>", "<!---->", "<i class=\"w\"></i>")
    return split_with(rng, t, lambda r: r.choice(makers))


def sp_json(rng, t):
    share, form = rng.choice((0.25, 0.5, 1)), rng.choice(("\\u%04x", "\\u%04X"))
    return "".join(form % ord(c) if m else c for c, m in chosen(rng, t, '"\\<>\n\r', share))


def sp_html(rng, t):
    way, share = rng.choice(("named", "decimal", "hex", "mixed")), rng.choice((0.3, 0.6, 1))

    def ref(c):
        kind = rng.choice(("named", "decimal", "hex")) if way == "mixed" else way
        zeros = "0" * rng.choice((0, 0, 2, 4))
        if kind == "named" and c in NAMES:
            return "&" + NAMES[c]
        return f"&#{zeros}{ord(c)};" if kind != "hex" else f"&#{rng.choice('xX')}{zeros}{ord(c):{rng.choice('xX')}};"

    must = "&<>\"'" + ("".join(NAMES) if way == "named" else "")
    return "".join(ref(c) if m else c for c, m in chosen(rng, t, must, share))


def sp_percent(rng, t):
    share, form = rng.choice((0.2, 0.5, 1)), rng.choice(("%%%02X", "%%%02x"))
    must = "".join(c for c in set(t) if not (c.isascii() and (c.isalnum() or c in "-._~/:")))
    return "".join("".join(form % b for b in c.encode()) if m else c for c, m in chosen(rng, t, must, share))


def sp_base64(rng, t):
    lead, tail = rng.choice(("in ", "see ", "from ")), rng.choice(("", " now", " and on", " then!"))
    data = (lead + t + tail).encode()
    if rng.random() < 0.5:
        return base64.b64encode(data).decode()
    return b64url(data) + rng.choice(("", "=" * (-len(b64url(data)) % 4)))


# What may lie directly under what: the order in which a reader or a program undoes them.
PLAIN = ("slash", "case", "unicode", "invisible")
OVER = {
    "slash": (), "case": ("slash",), "unicode": ("slash", "case"), "invisible": ("slash", "case", "unicode", "percent"),
    "percent": PLAIN + ("base64", "json", "html", "tags", "lines"), "base64": PLAIN + ("percent", "json", "html", "tags", "lines"),
    "json": PLAIN + ("percent", "base64", "html", "tags", "lines"), "html": PLAIN + ("percent", "base64", "json", "lines"),
    "tags": PLAIN + ("percent", "base64", "html", "lines"), "lines": PLAIN + ("percent", "base64", "html"),
}
CARRIERS = ("percent", "base64", "json", "html")


def stacks(depth):
    """All legal compositions of that depth, innermost first."""
    return [s for s in itertools.permutations(OVER, depth) if all(a in OVER[b] for a, b in zip(s, s[1:]))]


def seat(rng, layer, body, kind, direct):
    """The wrapping in which such a spelling is found in the wild."""
    if layer == "json":
        return '{"%s":"%s"}' % (rng.choice(("at", "cwd", "note", "where")), body)
    if layer in ("html", "tags"):
        return rng.choice(("<p>%s</p>", "<code>%s</code>", "<li>%s</li>")) % body
    if layer == "percent":
        safe = ["cwd=", "next="] + (["file://"] if direct and kind == "posix-path" else [])
        return rng.choice(safe if kind == "posix-path" else safe + ["https://example.org/open?at="]) + body
    if layer == "base64-of-link":
        return "data:text/plain;base64," + body
    return rng.choice(("", "data:text/plain;base64,")) + body if layer == "base64" else body


Spelled = collections.namedtuple("Spelled", "body pending markup tagged direct")


def spell(rng, text, stack, kind):
    """Apply the stack, innermost first. `pending` is the layer whose wrapping is still to be put on."""
    state = Spelled(text, None, False, False, True)
    for layer in stack:
        state = add_layer(rng, state, layer, kind)
    return state


def add_layer(rng, st, layer, kind):
    if layer == "lines":
        return st._replace(body=sp_lines(rng, st.body, kind in SHAPE_KINDS and not st.pending))
    if layer == "tags":
        inner = st.body if st.markup else html.escape(st.body)
        pending = st.pending if st.pending in ("percent", "base64", "base64-of-link") else "tags"
        return st._replace(body=sp_tags(rng, inner), pending=pending, markup=True, tagged=True)
    if layer in CARRIERS:
        inner = seat(rng, st.pending, st.body, kind, st.direct)
        body = globals()["sp_" + layer](rng, inner)
        link = layer == "base64" and st.pending == "percent"
        return Spelled(body, "base64-of-link" if link else layer, layer == "html", False, st.pending is None)
    return st._replace(body=globals()["sp_" + layer](rng, st.body))


# --------------------------------------------------------------------- places
# A renderer gives (document, the piece that holds the canary, the place's name).

COUNTS = ("claim.tests.supported", "claim.tests.open", "turn.closed", "turn.api-error", "session.dark", "gate.refused")
WORDS = ("the ledger of claims was read twice and nothing else was found", "most turns closed well", "an interval says how sure we are",
         "counts are small here", "a second reading gave the same bytes", "every figure names its cell", "rows are sorted by owner and kind")


def counts(rng):
    return {k: rng.randrange(900) for k in rng.sample(COUNTS, 3)}


def in_json(rng, st, kind):
    if st.pending == "json":
        piece = st.body
    else:
        inner = seat(rng, st.pending, st.body, kind, st.direct)
        piece = json.dumps(inner, ensure_ascii=False)[1:-1]
    slot = rng.choice(("@@", "@@", "found @@ there"))
    place = rng.choice(("value", "key", "array", "deep"))
    bare = {"value": {"note": slot}, "key": {"@@": 3}, "array": {"list": ["one", slot, "two"]},
            "deep": {"rows": [{"facts": {"what": [slot]}}]}}[place]
    doc = {"schema": "deedcheck/aggregate/1", "counts": counts(rng), **bare, "remark": rng.choice(WORDS)}
    return json.dumps(doc, ensure_ascii=False, indent=rng.choice((None, 2))).replace("@@", piece), piece, place


def html_places(st, stack):
    outer = stack[-1] if stack else "none"
    if st.tagged:
        return ("text", "cell")
    if st.markup:
        return ("text", "cell", "attribute", "title")
    if outer in ("percent", "base64"):
        return ("text", "attribute", "comment", "script", "style", "data-url", "style-url", "title")
    if outer == "json":
        return ("script", "script", "attribute", "text", "comment")
    return ("text", "cell", "attribute", "title", "comment", "script", "style")


def html_piece(rng, st, place, kind):
    """The canary as it stands in that place, escaped as the place wants it."""
    if place in ("data-url", "style-url"):
        return ("data:text/plain," if st.pending == "percent" else "data:text/plain;base64,") + st.body
    bare = st.markup and st.pending in ("html", "tags")
    full = st.body if bare else seat(rng, st.pending, st.body, kind, st.direct)
    if place in ("comment", "style"):
        return full
    if place == "script":
        return full if st.pending == "json" else json.dumps(full, ensure_ascii=False)
    return full if st.markup else html.escape(full)


HTML_SLOT = {
    "text": ("<p>found {} there</p>", "<p><em>found</em> {} there</p>", "<pre>{}</pre>"),
    "cell": ("<table><tr><td>row</td><td>{}</td></tr></table>",),
    "attribute": ('<p title="{}">hover</p>', '<div data-note="{}">x</div>', '<img alt="{}" src="a.png">'),
    "comment": ("<!-- made for {} once -->",),
    "script": ('<script type="application/json">{{"note":{}}}</script>',),
    "style": ("<style>/* made for {} once */ p{{margin:0}}</style>",),
    "data-url": ('<a href="{}">open</a>', '<img src="{}" alt="">'),
    "style-url": ("<style>p{{background:url({})}}</style>",),
    "title": ("{}",),
}


def in_html(rng, st, kind, stack):
    place = rng.choice(html_places(st, stack))
    piece = html_piece(rng, st, place, kind)
    filled = rng.choice(HTML_SLOT[place]).format(piece)
    return html_page(rng, filled if place == "title" else "Report", "" if place == "title" else filled), piece, place


def html_page(rng, title, body):
    rows = "".join(f"<tr><td>{k}</td><td data-deed=\"{k}\">{v}</td></tr>" for k, v in counts(rng).items())
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>\n<body>'
            f"<h1>Grades</h1>\n{body}\n<table>{rows}</table><p>{rng.choice(WORDS)}</p></body></html>\n")


def markdown_places(st, stack, kind):
    outer = stack[-1] if stack else "none"
    if outer == "lines" or (st.tagged and "lines" in stack):
        return ("text", "list") if st.markup else ("text", "list", "fence")
    if st.markup:
        return ("text", "list") + (() if "lines" in stack else ("table", "link-text"))
    if outer == "json":
        return ("code", "json-fence")
    if outer in ("percent", "base64"):
        return ("text", "code", "table", "link", "fence")
    wraps = "lines" in stack
    return ("text", "list", "fence") if wraps else ("text", "code", "table", "list", "link-text", "fence")


MARKDOWN_SLOT = {
    "text": "We found {} there.", "code": "We found `{}` there.", "list": "* one\n* found {} there\n* two", "fence": "```text\nfound {} there\n```",
    "json-fence": "```json\n{}\n```", "table": "| what | where |\n|---|---|\n| row | {} |", "link-text": "See [found {} there](https://example.org/docs).",
    "link": "See [the page]({}) there.",
}


def in_markdown(rng, st, kind, stack):
    place = rng.choice(markdown_places(st, stack, kind))
    if place == "link":
        piece = html_piece(rng, st, "data-url", kind)
    else:
        bare = st.markup and st.pending in ("html", "tags")
        piece = st.body if bare else seat(rng, st.pending, st.body, kind, st.direct)
    return markdown_page(rng, MARKDOWN_SLOT[place].format(piece)), piece, place


def markdown_page(rng, body):
    rows = "\n".join(f"| {k} | {v} |" for k, v in counts(rng).items())
    return f"# Grades\n\n{rng.choice(WORDS).capitalize()}.\n\n{body}\n\n| cell | count |\n|---|---:|\n{rows}\n"


# ------------------------------------------------------------------- canaries

SLASHED = ("locator", "root", "work-tree", "home", "posix-path", "windows-path")
DEPTHS = (1, 2, 3, 2, 1, 3, 0, 2, 3, 1)


def fits(stack, kind, family, fmt):
    """Whether that composition of that kind is a fair one in that format."""
    shape = family is not None
    if family == "other":  # a path outside homes and roots is a leak only where a JSON text begins with it or a blank stands before
        return fmt == "json" and set(stack) <= {"unicode", "invisible", "lines", "json"}
    return not (("tags" in stack and fmt == "json") or ("slash" in stack and kind not in SLASHED)
                or ("case" in stack and shape) or ("lines" in stack and family == "pem"))


def sources(values, wide):
    """Everything a canary can be made of: (kind, family or None, maker)."""
    kinds = list(dict.fromkeys(v["kind"] for v in values))
    of = lambda k: [v["value"] for v in values if v["kind"] == k]
    bound = [(k, None, lambda r, _, own=of(k): r.choice(own)) for k in kinds]
    secrets = {**SECRETS, **(WIDE_SECRETS if wide else {})}
    return bound + SHAPES + [("secret", f, lambda r, _, m=m: m(r)) for f, m in secrets.items()]


def make_canaries(rng, values, n, wide):
    srcs, decks, legal = sources(values, wide), {}, {d: stacks(d) for d in (0, 1, 2, 3)}
    for i in itertools.count():
        if n <= 0:
            return
        at, fmt = i % len(srcs), FORMATS[i // len(srcs) % 3]
        depth = DEPTHS[i // (3 * len(srcs)) % len(DEPTHS)]
        kind, family, maker = srcs[at]
        deck = decks.setdefault((at, fmt, depth), [])
        if not deck:
            deck.extend(s for s in legal[depth] if fits(s, kind, family, fmt))
            rng.shuffle(deck)
        if not deck:
            continue
        n -= 1
        yield make_canary(rng, values, kind, family, maker(rng, values), deck.pop(), fmt)


def make_canary(rng, values, kind, family, plain, stack, fmt):
    st = spell(rng, plain, stack, kind)
    text, piece, place = {"json": lambda: in_json(rng, st, kind), "html": lambda: in_html(rng, st, kind, stack),
                          "markdown": lambda: in_markdown(rng, st, kind, stack)}[fmt]()
    name = kind if not family else f"{kind} ({family})"
    return {"format": fmt, "text": text, "expect": "hit", "kind": kind, "spellings": list(stack), "why": f"{name}, {', '.join(stack) or 'plain'}, in {place}",
            "place": place, "plain": plain, "also": also(plain, kind, values), "_piece": piece}


def also(plain, kind, values):
    """Other kinds that the same text shows by its nature: a home holds its user, a locator its session."""
    bound = [v["kind"] for v in values if fold(v["value"]) in fold(plain)]
    return sorted(set(bound + marks(plain)) - {kind})


# ------------------------------------------------------------------- harmless

SHORT_PARTS = re.compile(r"[a-z]{4,7}")


def h_models(r, v):
    return f"{r.choice(('claude-sonnet-4-5', 'claude-opus-4-1', 'claude-3-5-haiku', 'gpt-4o', 'gpt-5-codex', 'gpt-4.1-mini'))}-{r.choice(('20250929', '2024-08-06', '20241022', 'latest'))} at v{r.randrange(9)}.{r.randrange(40)}.{r.randrange(99)}-rc.{r.randrange(9)}+build.{r.randrange(99)}"


def h_digests(r, v):
    return f"sha256:{pick(r, HEX, 64)} is the release, cut from {pick(r, HEX, 7)} and {pick(r, HEX, 40)}"


def h_dates(r, v):
    return f"2026-0{r.randint(1, 9)}-1{r.randrange(9)}T0{r.randrange(9)}:{r.randint(10, 59)}:00.{r.randrange(999):03}Z, stamp 2026{r.randint(1001, 1231)}, {r.randrange(10**9)} bytes, {r.random():.6f}"


def h_packages(r, v):
    return f"{r.choice(('serde', 'tokio', 'regex-automata', 'proc-macro2', 'sk-learn', 'left-pad'))} {r.randrange(3)}.{r.randrange(300)}.{r.randrange(30)} and @scope/{r.choice(('package', 'types-node'))}@{r.randrange(9)}.2.{r.randrange(9)}, actions/checkout@v{r.randint(2, 6)}.1.0, foo@v{r.randrange(9)}, user@host"


def h_classes(r, v):
    return " ".join(r.sample(("nav-home-link", "app-home-page", "mt-4", "md:flex", "hover:bg-slate-700", "is-users-list", "w-1/2", "text-[#1a2b3c]", "btn--primary", "c-users-grid"), 6)) + f" #{pick(r, HEX, 6)} #{pick(r, HEX, 8)}"


def h_urls(r, v):
    return r.choice(("https://example.org/home/page", "https://example.com/Users/index.html", "http://localhost:8080/home/guide/start",
                     "https://docs.example.net/en/Users/guide/api?x=1&y=2", "https://example.org/search?q=caf%C3%A9%20noir%2Fcr%C3%A8me", "https://example.org/home/a/b%20c.html#home")) + f" page {r.randrange(999)}"


def h_relative(r, v):
    return f"src/{r.choice(('lib', 'main', 'mod'))}.rs:{r.randrange(999)}, tests/it/main.rs, ./docs/home/{r.choice(('index', 'users'))}.md, ../Users.md, a/b/c.txt, home/page-{r.randrange(99)}.html"


def h_vocabulary(r, v):
    return ", ".join(r.sample(("session", "thread", "agent", "main", "subagent", "assistant", "message", "call", "home", "user", "root", "host", "label", "sentinel",
                               "tool_call_count", "call_once", "call_mut", "toolu", "thread_local", "session_count", "agentless", "worktree"), 9))


def h_secretwords(r, v):
    return ", ".join(r.sample(("sk-learn", "ghp", "AKIA", "npm_config_registry", "npm_package_version", "xoxb", "AIza", "sk_live_", "pypi-publish", "sk-ant", "eyJ", "github_pat",
                               "-----BEGIN CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----", "sk-proj", "task-ant-api", "desk-lamp"), 7))


def h_nearuuid(r, v):
    shape = r.choice(((8, 4, 4, 4, 11), (7, 4, 4, 4, 12), (8, 3, 4, 4, 12), (8, 4, 4, 12), (8, 4, 4, 4), (4, 4, 4, 4, 4, 4)))
    return "build " + "-".join(pick(r, HEX, k) for k in shape) + " of 12.4-4.4-11"


def h_nearmail(r, v):
    return ", ".join(r.sample(("user@host", "@media (min-width: 40em)", "decorator @app.route", "@scope/package@1.2.3", "foo@v2", "@pytest.mark.slow", "x @ y", "@Override", "root@", "react@18.2.0"), 5))


def h_statistics(r, v):
    a = r.random() / 2
    return f"{a:.3f} [{a - .05:.3f}, {a + .05:.3f}] (Wilson, n = {r.randrange(9999)}), claim.tests.supported, deedcheck/grade/1, deedcheck/aggregate/1"


def h_parts(r, v):
    parts = sorted({p for x in v if x["kind"] in ("label", "identity", "sentinel", "work-tree") for p in SHORT_PARTS.findall(x["value"])})
    a, b, c = r.sample(parts, 3)
    return f"the {a} and a {b}ing by {c}s, {a}-{r.randrange(9)}, {pick(r, HEX, 7)}, run-{r.randrange(9)}, box-{r.randrange(99)}, mdupont"


def h_prose(r, v):
    return ". ".join(w.capitalize() for w in r.sample(WORDS, 4)) + f". Café, naïve, {r.choice(('Überblick', 'œuvre', 'señal'))}, soft\u00adly, ｆｕｌｌ width, {r.randrange(10**6)}."


def h_svgpath(r, v):
    return "M" + " ".join(f"{r.choice('LCQ')}{r.randrange(99)} {r.randrange(99)}.{r.randrange(9)}" for _ in range(12)) + "Z"


def h_base64(r, v):
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + r.randbytes(r.randrange(60, 400))).decode()


def h_base64text(r, v):
    return base64.b64encode((r.choice(WORDS) + f" {r.randrange(999)}").encode()).decode()


def h_script(r, v):
    return f"!function(e,t){{var n=e.a{r.randrange(99)}||{{}};for(var i=0;i<t.length;i++)n[t[i]]=t[i]>>>{r.randrange(9)};return/^[a-z]+$/i.test(n.x)?n:e.home&&e.users}}(this,['a','b']);"


def raw_integrity(r, v):
    return f'<link rel="stylesheet" href="/assets/app.css?v={r.randrange(99)}" integrity="sha384-{base64.b64encode(r.randbytes(48)).decode()}"><a href="/docs/guide/{r.randrange(99)}">guide</a><a href="../users/index.html">u</a><a href="{html.escape(h_urls(r, v).split()[0])}">page</a>'


def raw_svg(r, v):
    return f'<svg viewBox="0 0 99 9" role="img"><path d="{h_svgpath(r, v)}" fill="#{pick(r, HEX, 6)}"/></svg><img alt="chart" src="{h_base64(r, v)}">'


def raw_style(r, v):
    return f"<style>@media (max-width:{r.randint(300, 900)}px){{.nav-home-link{{color:#{pick(r, HEX, 6)}}}}}/* v1.{r.randrange(99)} */</style>"


def raw_entities(r, v):
    return f"<p>caf&eacute; &amp; th&#233; &#x2014; 5&nbsp;&lt;&nbsp;{r.randrange(99)} soft&shy;ly<wbr>split <b>bo</b>ld<!-- v{r.randrange(99)} --></p>"


def raw_scriptjson(r, v):
    data = json.dumps({"model": h_models(r, v), "text": "café", **counts(r)})
    return f'<script type="application/json">{data}</script><script>{h_script(r, v).replace("<", "< ")}</script>'


def system_paths(r, v):
    return "run by " + ", ".join(r.sample(("/usr/bin/env", "/etc/hosts", "/dev/null", "/var/log/syslog", "/proc/self/maps", "/tmp", "/usr/share/doc", "/bin/sh"), 4)) + f" in {r.randrange(99)} ms"


def md_table(r, v):
    return "| kind | n |\n|---|---:|\n" + "\n".join(f"| {k} | {r.randrange(999)} |" for k in r.sample(("session", "thread", "agent", "main", "claim.tests.open"), 4)) + "\n\n[guide](/docs/guide) [page](https://example.org/home/page)"


ANYWHERE = (h_models, h_digests, h_dates, h_packages, h_classes, h_urls, h_relative, h_vocabulary, h_secretwords, h_nearuuid, h_nearmail,
            h_statistics, h_parts, h_prose, h_svgpath, h_base64, h_base64text, h_script)
ONLY = {"json": (), "html": (raw_integrity, raw_svg, raw_style, raw_entities, raw_scriptjson), "markdown": (md_table, raw_entities)}


def harmless_document(rng, fmt, maker, values):
    text = maker(rng, values)
    if fmt == "json":
        return json.dumps({"schema": "deedcheck/aggregate/1", "note": text, rng.choice(COUNTS): rng.randrange(99), "list": [text.split(", ")[0], counts(rng)]},
                          ensure_ascii=rng.random() < 0.5)
    if fmt == "markdown":
        return markdown_page(rng, text if maker in ONLY[fmt] or "<" not in text else f"`{text}`")
    raw = text if maker in ONLY[fmt] else rng.choice(('<p>{}</p>', '<p class="{}">x</p>', '<!-- v: {} -->' if "--" not in text else "<pre>{}</pre>")).format(html.escape(text))
    return html_page(rng, "Report", raw)


def make_harmless(rng, values, n):
    makers = {f: ANYWHERE + ONLY[f] + (() if f == "json" else (system_paths,)) for f in FORMATS}
    for i in range(n):
        fmt = FORMATS[i % 3]
        maker = makers[fmt][i // 3 % len(makers[fmt])]
        yield {"format": fmt, "text": harmless_document(rng, fmt, maker, values), "expect": "clean", "kind": None, "spellings": [],
               "why": "look-alike: " + maker.__name__.split("_", 1)[1]}


# -------------------------------------------------------- what looks private

MARKS = {
    "uuid": r"(?<![0-9a-f])[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])", "call-id": r"\btoolu_0\w{10}|\bcall_[A-Za-z0-9]{20}",
    "posix-path": r"(?<![\w./:-])/(home|users)/\w|file:///|^/\w", "windows-path": r"(?<![a-z])[a-z]:[\\/](?!/)", "home-slug": r"(?<![\w-])(-home-|-users-|c--users-)",
    "email": r"\w@[\w-]+(\.[\w-]+)*\.[a-z]{2,}", "secret": r"sk-ant-api\d|sk-proj-\w|sk-or-v1-|whsec_|sbp_|gh[p]_\w|github_pat_\w|akia[a-z2-7]{16}|aiza\w{30}|xoxb-\d|sk_live_\w|npm_[a-z0-9]{36}|pypi-ag|private key|eyj\w+\.",
}


def fold(text):
    text = unicodedata.normalize("NFKC", text).casefold().replace("\\", "/")
    return unicodedata.normalize("NFKC", re.sub(f"[{INVISIBLE}]", "", text))


def marks(text):
    return [k for k, rx in MARKS.items() if re.search(rx, text, re.I)]


# ----------------------------------------------------------------------- main


def build(seed, canaries, harmless, wide):
    rng = random.Random(seed)
    values = make_values(rng)
    cases = list(make_canaries(rng, values, canaries, wide)) + list(make_harmless(rng, values, harmless))
    rng.shuffle(cases)
    return values, [{"id": n, **c} for n, c in enumerate(cases)]


def as_lines(cases):
    return "".join(json.dumps({k: v for k, v in c.items() if k[0] != "_"}, ensure_ascii=False) + "\n" for c in cases)


def write(out, values, cases):
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "values.json"), "w", encoding="utf-8", newline="\n") as f:
        f.write(json.dumps(values, ensure_ascii=False, indent=1) + "\n")
    with open(os.path.join(out, "cases.jsonl"), "w", encoding="utf-8", newline="\n") as f:
        f.write(as_lines(cases))


def summary(cases):
    hits = [c for c in cases if c["expect"] == "hit"]
    tally = lambda things: "  ".join(f"{k}:{n}" for k, n in sorted(collections.Counter(things).items(), key=str))
    return "\n".join((f"canaries {len(hits)}, harmless {len(cases) - len(hits)}", "kinds: " + tally(c["kind"] for c in hits),
                      "spellings: " + tally(s for c in hits for s in c["spellings"] or ["plain"]), "depth: " + tally(len(c["spellings"]) for c in hits),
                      "format: " + tally(c["format"] for c in hits), "places: " + tally(f'{c["format"]}/{c["place"]}' for c in hits),
                      "compositions: " + str(len({tuple(c["spellings"]) for c in hits})), "harmless: " + tally(c["why"][12:] for c in cases if c["expect"] == "clean")))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out", nargs="?")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--canaries", type=int, default=10000)
    p.add_argument("--harmless", type=int, default=10000)
    p.add_argument("--wide", action="store_true", help="more secret families")
    p.add_argument("--self-test", action="store_true")
    args = p.parse_args()
    if args.self_test:
        import selftest
        return selftest.run(args)
    if not args.out:
        p.error("OUT is missing")
    values, cases = build(args.seed, args.canaries, args.harmless, args.wide)
    write(args.out, values, cases)
    print(summary(cases))


if __name__ == "__main__":
    main()
