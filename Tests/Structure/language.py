#!/usr/bin/env python3
"""Finds comments and prose in which a clause stands for a noun, such as "what waits" for "waiting requests". Exit status 1 if there are too many.

usage: language.py [--list]      needs: nothing. Run in any folder.

A clause is not wrong by itself: at most MOST_COMMENTS of the comment lines of Sources, Tests and Benchmarks and MOST_PROSE of the lines of the documents may have one.
"""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_COMMENTS, MOST_PROSE = 0.005, 0.01
CLAUSES = re.compile("|".join([
    r"^(?:what|whose|who|that of|those (?:of|that|which|with)|of (?:what|which))\b",
    r"[.:;(—–-]\s*(?:What|Whose|Who|That of|Those (?:of|that|which|with)|Of (?:what|which))\b",
    r"\bwhat (?:is|was|has|had|may|can|they|it|there|comes|came|goes|makes|waits|needs|all)\b",
    r"\b(?:that|those) of\b", r"\bof which\b", r"\bwhose\b", r"\bin place of\b", r"\bby then\b",
    r"\b(?:nobody|somebody|whoever|is told|tells)\b"]))


def comments():
    for folder in ("Sources", "Tests", "Benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.swift")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if (text := line.strip()).startswith("//") and not text.startswith("// MARK"): yield path, number, text.lstrip("/ ")


def prose():
    for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "Benchmarks/README.md"]):
        is_code = False
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.lstrip().startswith("```"): is_code = not is_code
            elif line.strip() and not is_code: yield path, number, line.strip()


def share(kind, lines, most, is_listed):
    lines = list(lines)
    found = [line for line in lines if CLAUSES.search(line[2])]
    is_over = len(found) > most * len(lines)
    if is_listed or is_over:
        for path, number, text in found: print(f"{path.relative_to(ROOT)}:{number}: {text}")
    if is_over: print(f"{len(found)} of {len(lines)} lines of {kind} have such a clause; at most {most:.1%} may: write a noun, or a sentence with a subject and a verb")
    return is_over


def main():
    is_listed = "--list" in sys.argv[1:]
    over = [share("comments", comments(), MOST_COMMENTS, is_listed), share("prose", prose(), MOST_PROSE, is_listed)]
    sys.exit(any(over))


main()
