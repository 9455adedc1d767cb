"""Texts in the languages that well-known functions parse: only what is some of it gets far."""

from __future__ import annotations

PYTHON = ("1 + 2", "[a, 'b', 2.5][0:2]", "f(1, a=2)", "not a or b < 2 <= c", "a if b else {'c': (1, -2)}")
PROGRAM = ("a = 1\nprint(a)\n", "def f(a, b=1):\n    return a\n", "class A:\n    b = 1\n", "import a\n")
LOOPS = ("[x * 2 for x in (1, 2) if x > 1]", "f'a{1}'", "lambda x: x", "a.b")
JSON = ('{"a": [1, 2.5, null, true], "b": {"c": "d"}}', "[1, -2]", '"a"', "{}", "null")
XML = ('<a b="c"><d>e</d><d/></a>', "<a/>")
URL = ("http://a:b@example.com:80/c/d.html?e=f&g=h#i", "//example.com/a", "mailto:a@example.com", "/a?b=1")
PATTERN = ("a+", "(a|b)*c", "[0-9]+")
DATE = ("2020-02-29", "2020-02-29T12:30:00", "2020-02-29T12:30:00+02:00")
ADDRESS = ("127.0.0.1", "::1", "10.0.0.0/8")
TOML = ('a = 1\n[b]\nc = ["d", 2.5]\n',)
QUERY = ("a=1&b=2&b=3", "a=")
NUMBER = ("1.5", "-3", "1e3")

# By how they are called in the source: with the module where the name alone may be anybody's.
BY_CALL: dict[str, tuple[str, ...]] = {
    "ast.parse": (*PYTHON, *LOOPS, *PROGRAM),
    "literal_eval": ("[1, 'a', (2.5, None)]", "{'a': -1}", "'a'"),
    "eval": (*PYTHON, *LOOPS),
    "exec": PROGRAM,
    "compile": (*PYTHON, *LOOPS),
    "generate_tokens": PROGRAM,
    "json.loads": JSON,
    "tomllib.loads": TOML,
    "re.compile": PATTERN,
    "fromstring": XML,
    "parseString": XML,
    "urlparse": URL,
    "urlsplit": URL,
    "parse_qs": QUERY,
    "parse_qsl": QUERY,
    "fromisoformat": DATE,
    "ip_address": ADDRESS,
    "ip_network": ADDRESS,
    "ip_interface": ADDRESS,
    "Decimal": NUMBER,
    "Fraction": (*NUMBER, "1/3"),
    "b64decode": ("YWI=", "YQ=="),
    "unhexlify": ("6162", "00ff"),
    "fromhex": ("6162", "00 ff"),
    "shlex.split": ("a 'b c' d\\ e", "a=b # c"),
    "uuid.UUID": ("12345678-1234-5678-1234-567812345678",),
    "strptime": (*DATE, "12:30"),
}
BUILT_IN = frozenset({"eval", "exec", "compile"})  # as a method of something it is anybody's


def texts_for(called: str) -> tuple[str, ...]:
    """What the first argument of a call may be; nothing if it is not known to parse anything."""
    name = called.rpartition(".")[2]
    return BY_CALL.get(called) or (() if name in BUILT_IN else BY_CALL.get(name, ()))
