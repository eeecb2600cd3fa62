"""Comparison of the output shown in documents with that of a command.

In shown text `…` matches anything; in JSON, as a member further members, as an element further elements. A word such as a3dd839e… is a name for a
value that differs between runs: its first use reads the value from the output, and later commands use it. A time matches any time.
"""
import json
import re

ANY = object()
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
# Members with values that differ between runs or days.
VARYING = {"requestId", "earliest", "latest", "lastBuildDate"}
# At least four letters and digits, with a digit among them, followed by `…`.
NAMED = re.compile(r"(?=[a-z]*\d)[0-9a-z]{4,}…")


class Unlike(Exception):
    """A difference between the output and the document."""


class Reader:
    """A parser of JSON with `…` as a value, a member or an element."""

    def __init__(self, text):
        self.text, self.place = text, 0

    def skip(self):
        while self.place < len(self.text) and self.text[self.place].isspace():
            self.place += 1

    def take(self, expected):
        self.skip()
        if not self.text.startswith(expected, self.place):
            raise Unlike(f"{expected!r} is missing before {self.text[self.place:self.place + 40]!r}")
        self.place += len(expected)

    def peek(self):
        self.skip()
        return self.text[self.place:self.place + 1]

    def several(self, first, last, element):
        self.take(first)
        found = []
        while self.peek() != last:
            found.append(element())
            if self.peek() != last:
                self.take(",")
        self.take(last)
        return found

    def member(self):
        if self.peek() == "…":
            return self.value(), ANY
        name = self.value()
        self.take(":")
        return name, self.value()

    def value(self):
        start = self.peek()
        if start == "…":
            self.place += 1
            return ANY
        if start == "{":
            return dict(self.several("{", "}", self.member))
        if start == "[":
            return self.several("[", "]", self.value)
        match = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null').match(self.text, self.place)
        if not match:
            raise Unlike(f"this is not JSON: {self.text[self.place:self.place + 40]!r}")
        self.place = match.end()
        return json.loads(match.group())


def read_all(text):
    """All JSON values of a text."""
    reader, found = Reader(text), []
    while reader.peek():
        found.append(reader.value())
    return found


class Comparison:
    def __init__(self):
        self.names = {}

    def filled(self, command):
        """A command with its names replaced by their values."""
        return NAMED.sub(lambda match: self.names.get(match.group(), match.group()), command)

    def text(self, shown, actual, place):
        if TIME.fullmatch(shown) and TIME.fullmatch(actual):
            return
        pattern, names, end = "", [], 0
        for match in re.finditer(NAMED.pattern + "|…", shown):
            pattern += re.escape(shown[end:match.start()])
            end = match.end()
            if match.group() == "…":
                pattern += "(?:.|\\n)*"
            elif match.group() in self.names:
                pattern += re.escape(self.names[match.group()])
            else:
                names.append(match.group())
                pattern += "([0-9A-Za-z_-]+)"
        found = re.fullmatch(pattern + re.escape(shown[end:]), actual)
        if not found:
            raise Unlike(f"{place}: the document has {shown!r}, the output {actual[:300]!r}")
        self.names.update(zip(names, found.groups()))

    def json(self, shown, actual, place="JSON"):
        if shown is ANY or place.rpartition(".")[2] in VARYING and type(shown) is type(actual):
            return
        if isinstance(shown, dict) and isinstance(actual, dict):
            for name, value in shown.items():
                if name is ANY:
                    continue
                if name not in actual:
                    raise Unlike(f"{place} has no {name!r}")
                self.json(value, actual[name], f"{place}.{name}")
            further = set(actual) - set(shown)
            if further and ANY not in shown:
                raise Unlike(f"{place} also has {sorted(further)}")
        elif isinstance(shown, list) and isinstance(actual, list):
            if ANY not in shown:
                if len(shown) != len(actual):
                    raise Unlike(f"{place} has {len(actual)} elements instead of {len(shown)}")
                for number, (one, other) in enumerate(zip(shown, actual)):
                    self.json(one, other, f"{place}[{number}]")
                return
            rest = list(actual)
            for number, one in enumerate(each for each in shown if each is not ANY):
                reasons = []
                while True:
                    if not rest:
                        raise Unlike(f"{place}: no element matches the shown element {number}: {reasons[:1]}")
                    try:
                        self.json(one, rest.pop(0), f"{place}[{number}]")
                        break
                    except Unlike as reason:
                        reasons.append(str(reason))
        elif isinstance(shown, str) and isinstance(actual, str):
            self.text(shown, actual, place)
        elif shown != actual or type(shown) is bool and type(actual) is not bool:
            raise Unlike(f"{place}: the document has {shown!r}, the output {str(actual)[:300]!r}")

    def head(self, shown, actual):
        """Compares status and fields; all of them must be shown if the status is, unless there is a line `…`. Continuation lines begin with a space."""
        fields = re.sub(r"\n +", " ", shown.strip("\n")).split("\n")
        lines = [line for line in actual.replace("\r", "").split("\n") if line]
        for line in fields:
            if line == "…":
                continue
            name = line.partition(":")[0]
            same = [other for other in lines if other.partition(":")[0].lower() == name.lower()] if ":" in line else lines[:1]
            if not same:
                raise Unlike(f"the head has no {line!r}")
            digits = (lambda text: re.sub(r"\d+(\.\d+)?", "0", text)) if name in ("Server-Timing", "Date") else str
            self.text(digits(line), digits(same[0]), "head")
        if fields[0].startswith("HTTP/") and "…" not in fields and len(fields) != len(lines):
            raise Unlike(f"the head has {len(lines)} lines, but the document shows {len(fields)} and no line …")

    def output(self, shown, actual):
        """Compares the whole output of a command."""
        shown = shown.strip("\n")
        begin = re.search(r"^[{\[]", shown, re.M)
        head, body = (shown[:begin.start()], shown[begin.start():]) if begin else (shown, "")
        if re.match(r"HTTP/[\d.]+ \d|[A-Z][A-Za-z-]+: ", head):
            top, _, actual = actual.partition("\r\n\r\n")
            self.head(head, top)
        elif head.strip():
            if body:
                raise Unlike("the text before JSON is not the head of a response")
            self.text(head.strip(), actual.strip(), "output")
        if body:
            one, other = read_all(body), read_all(actual)
            if len(one) != len(other):
                raise Unlike(f"{len(other)} values instead of {len(one)}")
            for each, value in zip(one, other):
                self.json(each, value)
