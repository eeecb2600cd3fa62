"""Places of a Swift source that can be mutated: operators, constants, conditions of early exits."""
import collections, re

# `news` are the mutations of the text `old` at `start`; `edits` are the places that a mutated source replaces, with a function from the text of each and the
# numbers of the mutations to its new text.
Site = collections.namedtuple("Site", "start old news edits")

COMPARISONS = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}
OPERATORS = {**COMPARISONS, "+": ["-"], "-": ["+"], "+=": ["-="], "-=": ["+="], "&&": ["||"], "||": ["&&"]}
BINARY = re.compile(r"(?<=\s)(?:<=|>=|==|!=|<|>|\+=|-=|\+|-|&&|\|\|)(?=\s)")
# No parts of names and of floating-point numbers, and no members of tuples.
INTEGER = re.compile(r"(?<![\w$#\"])(?<![\w)\]]\.)(?:0x[0-9A-Fa-f_]+|[0-9][0-9_]*)(?!\w|\.\w)")
BOOLEAN = re.compile(r"(?<![\w.])(?:true|false)\b")
EXIT = re.compile(r"(?<=\s)(if|guard) ([^{}]*?)(?: else)? \{(\s*(?:return|throw|continue|break)\b)?")


def choice(old, numbers):
    """An expression that is `old` unless a mutant is selected."""
    return "(" + "".join(f"selectedMutant == {number} ? {new} : " for new, number in numbers.items()) + f"{old})"


def name(numbers):
    """The operator of a place: its name has the bits of its first mutant's number."""
    return "%%" + f"{min(numbers.values()):b}".translate(str.maketrans("01", "^~"))


def definition(old, numbers):
    """The operator that is `old` unless a mutant is selected."""
    precedence, right, attempt = "Comparison", "right", ""
    if old in ("&&", "||"):
        precedence, right, attempt = {"&&": "LogicalConjunction", "||": "LogicalDisjunction"}[old], "right()", "try "
        heads = ["(left: Bool, right: @autoclosure () throws -> Bool) rethrows -> Bool"]
    elif old in COMPARISONS:
        # Also of a string with a substring, and of integers of two types.
        heads = [f"<T: {'Equatable' if old in ('==', '!=') else 'Comparable'}>(left: T, right: T) -> Bool",
                 *(f"<L: {kind}, R: {kind}>(left: L, right: R) -> Bool" for kind in ("StringProtocol", "BinaryInteger"))]
    elif old in ("+=", "-="): precedence, heads = "Assignment", ["<T: AdditiveArithmetic>(left: inout T, right: T)"]
    else: precedence, heads = "Addition", ["<T: AdditiveArithmetic>(left: T, right: T) -> T"]
    cases = "".join(f"case {number}: {attempt}left {new} {right}; " for new, number in numbers.items())
    body = f"{{ switch selectedMutant {{ {cases}default: {attempt}left {old} {right} }} }}\n"
    functions = "".join(("@_disfavoredOverload " if place else "") + f"func {name(numbers)} {head} {body}" for place, head in enumerate(heads))
    return f"infix operator {name(numbers)}: {precedence}Precedence\n{functions}"


def conditions(text, start):
    """The parts of a list of conditions, with their places."""
    depth, at = 0, 0
    for place, character in enumerate(text + ","):
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            part = text[at:place]
            yield start + at + len(part) - len(part.lstrip()), part.strip()
            at = place + 1


def sites(bare):
    """The places of a source without comments and literals."""
    for match in BINARY.finditer(bare):
        yield Site(match.start(), match[0], OPERATORS[match[0]], [(match.start(), match.end(), lambda old, numbers: name(numbers))])
    for match in INTEGER.finditer(bare):
        value = int(match[0].replace("_", ""), 0)
        yield Site(match.start(), match[0], [str(new) for new in (value + 1, value - 1) if new >= 0], [(match.start(), match.end(), choice)])
    for match in BOOLEAN.finditer(bare):
        yield Site(match.start(), match[0], ["false" if match[0] == "true" else "true"], [(match.start(), match.end(), choice)])
    for match in EXIT.finditer(bare):
        if match[1] == "if" and match[3]:
            yield Site(match.start(), "if", ["if false"], [(match.start(2), match.start(2), lambda old, numbers: f"selectedMutant != {min(numbers.values())}, ")])
        for at, part in conditions(match[2], match.start(2)) if match[1] == "guard" else ():
            if not re.match(r"(?:let|var|case)\b|#", part):
                yield Site(at, part, ["true"], [(at, at, lambda old, numbers: f"(selectedMutant == {min(numbers.values())} || ("),
                                                (at + len(part), at + len(part), lambda old, numbers: "))")])
