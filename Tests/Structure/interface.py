#!/usr/bin/env python3
"""Compares the interface that 1.x guarantees with its last committed state, Tests/Structure/interface.txt: operations, parameters, schemas, problems, commands,
options and metrics, as docs/openapi.json, docs/problems.md, deploy/onesheet.1 and docs/observability.md describe them. Exit status 1 if they differ.

usage: interface.py [--write]      needs: nothing. Run in any folder.

--write replaces the file. A removal or a changed type is refused unless a line of CHANGELOG.md has its name in backquotes and the word Removed or Changed, in
a section whose heading ends with proposed or unreleased.
"""
import json, pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = ROOT / "Tests/Structure/interface.txt"
# Kinds with a set of words, to which new ones may be added; the words of the others are a type.
SETS = {"content", "metric", "response", "values"}


class Interface(dict):
    """Lines "kind name: words" as a dictionary from (kind, name) to words."""

    def add(self, kind, name, words=""):
        self[kind, name] = " ".join(words) if isinstance(words, list) else words

    def text(self):
        return "".join(sorted(f"{kind} {name}" + (f": {words}\n" if words else "\n") for (kind, name), words in self.items()))

    @classmethod
    def parsed(cls, text):
        lines = (line.partition(": ") for line in text.splitlines())
        return cls({tuple(name.split(" ", 1)): words for name, _, words in lines})


def kind_of(schema):
    """The type of a schema in a few words."""
    if "$ref" in schema: return schema["$ref"].rsplit("/", 1)[1]
    for key, word in (("anyOf", "|"), ("oneOf", "|"), ("allOf", "&")):
        if key in schema: return word.join(sorted({kind_of(each) for each in schema[key]}))
    if schema.get("type") == "array": return kind_of(schema.get("items", {})) + "[]"
    if isinstance(values := schema.get("additionalProperties"), dict): return f"map({kind_of(values)})"
    types = schema.get("type", "any")
    return "|".join(types) if isinstance(types, list) else types + (f"({schema['format']})" if "format" in schema else "")


def add_schema(interface, kind, name, schema, separator="."):
    """Adds the values of a schema, and the properties of its inline objects."""
    if values := schema.get("enum") or [schema[key] for key in ("const",) if key in schema]:
        interface.add("values", name, sorted(str(value).replace(" ", "_") for value in values))
    for each in [part for key in ("anyOf", "oneOf", "allOf") for part in schema.get(key, [])]: add_schema(interface, kind, name, each, separator)
    if isinstance(schema.get("items"), dict): add_schema(interface, kind, name + "[]", schema["items"])
    if isinstance(schema.get("additionalProperties"), dict): add_schema(interface, kind, name + "{}", schema["additionalProperties"])
    for property, value in schema.get("properties", {}).items():
        full = f"{name}{separator}{property}"
        interface.add(kind, full, kind_of(value) + (" required" if property in schema.get("required", []) else ""))
        add_schema(interface, kind, full, value)


def openapi(interface):
    document = json.loads((ROOT / "docs/openapi.json").read_text())
    for name, schema in document["components"]["schemas"].items():
        interface.add("schema", name, kind_of(schema))
        add_schema(interface, "property", name, schema)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            name = f"{method.upper()} {path}"
            interface.add("operation", name)
            interface.add("response", name, sorted(operation["responses"]))
            for parameter in operation.get("parameters", []):
                full = f"{name} {parameter['name']}"
                interface.add("parameter", full, f"{parameter['in']} {kind_of(parameter['schema'])}" + (" required" if parameter.get("required") else ""))
                add_schema(interface, "parameter", full, parameter["schema"])
            for media, content in operation.get("requestBody", {}).get("content", {}).items(): add_schema(interface, "body", name, content["schema"], " ")
            for code, response in operation["responses"].items():
                if content := response.get("content"):
                    interface.add("content", f"{name} {code}", sorted(media + (f"={kind_of(each['schema'])}" if "schema" in each else "") for media, each in content.items()))


def manual(interface):
    command = ""
    for block in re.split(r"^(?=\.TP|\.S[HS] )", (ROOT / "deploy/onesheet.1").read_text().replace("\\-", "-"), flags=re.M):
        lines = block.splitlines()
        if lines[0].startswith(".SS "): interface.add("command", command := lines[0][4:])
        elif lines[0].startswith(".SH "): command = ""
        elif match := re.match(r"\\fB(--[a-z-]+)(?:\\fR)?( ?)", lines[1] if len(lines) > 1 else ""):
            interface.add("option", f"{command} {match[1]}".strip(), "value" if match[2] else "flag")


def tables(interface):
    for line in (ROOT / "docs/observability.md").read_text().splitlines():
        if line.startswith("| `onesheet_"):
            names, labels = line.split("|")[1:3]
            for name in re.findall(r"`(\w+)`", names): interface.add("metric", name, re.findall(r"`(\w+)`", labels))
    for name, status in re.findall(r"^\| `([a-z-]+)` \| (\d{3}) \|", (ROOT / "docs/problems.md").read_text(), re.M): interface.add("problem", name, status)


def current():
    interface = Interface()
    for part in (openapi, manual, tables): part(interface)
    return interface


def parents(kind, name):
    """The entry that contains an entry."""
    if kind in ("response", "content", "parameter", "body", "values") and re.match(r"[A-Z]+ /", name): return "operation", " ".join(name.split(" ")[:2])
    if kind in ("property", "values"): return "schema", re.split(r"[.\[{]", name)[0]
    return "command", name.rpartition(" ")[0] if kind == "option" else ""


def short_name(kind, name):
    """The name that the change log must have."""
    if kind in ("operation", "response", "content"): return " ".join(name.split(" ")[:2])
    return name.split(" ")[-1]


def breaks(old, new):
    """Differences that clients notice, as (name, description); a removed operation, schema or command is one."""
    for (kind, name), words in old.items():
        if (parent := parents(kind, name)) in old and parent not in new: continue
        now = new.get((kind, name))
        lost = [word for word in words.split(" ") if word and now is not None and word not in now.split(" ")]
        if now is None: yield short_name(kind, name), f"{kind} {name} is removed"
        elif kind in SETS and lost: yield short_name(kind, name), f"{kind} {name} has lost {', '.join(lost)}"
        elif kind not in SETS and now != words: yield short_name(kind, name), f"{kind} {name} was {words}, is {now}"
    for (kind, name), words in new.items():
        if kind in ("parameter", "body") and words.endswith(" required") and (kind, name) not in old and parents(kind, name) in old:
            yield short_name(kind, name), f"{kind} {name} is new and required"


def named():
    """The names in backquotes in the lines of CHANGELOG.md about removals and changes that are not released."""
    sections = re.split(r"^(?=## )", (ROOT / "CHANGELOG.md").read_text(), flags=re.M)
    lines = [line for section in sections if re.match(r"## .*(?:proposed|unreleased)\n", section, re.I) for line in section.splitlines()]
    return {name for line in lines if re.search(r"\b(?:Removed|Changed)\b", line) for name in re.findall(r"`([^`]+)`", line)}


def main():
    new, old = current(), Interface.parsed(FILE.read_text()) if FILE.exists() else Interface()
    known = named()
    unnamed = sorted(f"{description} (`{name}`)" for name, description in breaks(old, new) if name not in known)
    if unnamed: sys.exit("\n".join(unnamed) + "\nClients may depend on these. Restore them, or add to CHANGELOG.md, for what is not released, a line such as: **Removed** `NAME`")
    if "--write" in sys.argv[1:]: FILE.write_text(new.text())
    elif new != old:
        changed = sorted(f"{kind} {name}" for kind, name in {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)})
        sys.exit("\n".join(changed[:20]) + f"\n{len(changed)} entries of the interface have changed: python3 Tests/Structure/interface.py --write, and commit interface.txt")


main()
