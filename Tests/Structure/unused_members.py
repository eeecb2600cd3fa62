#!/usr/bin/env python3
"""Finds functions, properties, cases, initialisers and types of Sources and Benchmarks that no code there uses. Exit status 1 if there are any.

usage: unused_members.py      needs: nothing. Run in any folder.

Names and argument labels are compared, not types: an unused member that shares them with a used one is not found. An identifier is no use of a
member as a label, in `self.name = name`, with labels that the member does not have, or without a dot in a file without the member's type.
"""
import collections, pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXCEPTIONS = {
    "tests wait for it, or compare it": """SingleFlight.flightCount Usage.watching NameResolver.lookupCount SendBudget.heldByteCount ListWarmer.listCount
        TMDBAccountFilms.readingCount JPEGDecoder.decodesScans PipelineStatus.planeMisses LadderAhead.unusedBytes
        PosterPipeline.pendingDescriptionCount PosterPipeline.originalWaiterCount(for:) RedisFetchLeases.endingCount RedisFetchLeases.isProbing""",
    "tests give every option": "SettingDescription.isFlag", "distinguishes keys of a cache": "Word.isCorrected",
    "made from its raw value": "Kind.game", "the program": "PosterBench",
}
# Requirements of other modules' protocols, and members that the compiler uses. Initialisers are up to their first label.
REQUIRED = set("""
    init(arrayLiteral init(booleanLiteral init(dictionaryLiteral init(from init(integerLiteral init(intValue init(nilLiteral init(stringLiteral
    callAsFunction customMirror debugDescription intValue InboundIn InboundOut OutboundIn OutboundOut channelActive channelInactive channelRead
    channelReadComplete errorCaught handlerAdded handlerRemoved channelWritabilityChanged flush triggerUserOutboundEvent userInboundEventTriggered
    handleScheduledCallback streamCreated streamClosed wroteFrame coreContext extract makeCounter makeFloatingPointCounter makeMeter makeRecorder
    makeTimer destroyCounter destroyFloatingPointCounter destroyMeter destroyRecorder destroyTimer observes databaseDidChange databaseDidCommit
    databaseDidRollback renderText escapeText child validate""".split())
# Conformances of types with properties or cases that other modules and the compiler read.
READ = re.compile(r"\b(?:Encodable|Codable|CodingKey|CaseIterable|ParsableArguments|AsyncParsableCommand)\b")
TYPES = "struct class enum actor protocol extension".split()
LITERAL = re.compile(r"(?P<comment>//[^\n]*|/\*.*?\*/)|#/.*?/#|(?<=[(=,:])(?:(?<=[(])| )/(?![ /*])(?:\\.|[^\n/\\])*/"
                     r'|(?P<hashes>#*)(?P<quote>"(?:"")?)|[()]', re.S)
DECLARATION = re.compile(rf"(?<![\w.@#`])(?<!override )(func|init|var|let|case|typealias|{'|'.join(TYPES)})\b\s*`?(?:[\w.]*\.)?(\w*)|([(\[{{])|[)\]}}]")
SEPARATOR = re.compile(r"(?:->|\.\.<| [<>]+=?(?=\s))|([(\[{<])|([)\]}>])|(,)|([\n;])")
WORD = re.compile(r"(?<![\w#$])`?([A-Za-z_]\w*)`?(?=(?:<[\w., \[\]:?]*>)?(\(| ?\{)|)")
Member = collections.namedtuple("Member", "kind name at owner conformances labels")


def code(text):
    """Swift with spaces for its comments and the contents of its literals, except for interpolations."""
    out, at, modes = [], 0, [0]  # A mode is a number of open parentheses in code, or matches an escape or the end of a string.
    while match := (LITERAL if (is_code := isinstance(modes[-1], int)) else modes[-1]).search(text, at):
        piece, before, at = match[0], text[at:match.start()], match.end()
        is_bracket = piece in "()" if is_code else piece[-1] == "("
        end = piece[-1] if is_bracket or piece[-1] == "\n" else '"' if piece[0] == '"' or is_code and not match["comment"] else " "
        out += [before if is_code else re.sub(r"[^\n]", " ", before), re.sub(r"[^\n]", " ", piece[:-1]), end]
        if is_code and match["quote"]: modes.append(re.compile(rf'{match["quote"]}{match["hashes"]}|\\{match["hashes"]}.', re.S))
        elif not is_code and piece[0] == '"': modes.pop()
        elif is_bracket and not is_code: modes.append(0)
        elif is_bracket: modes[-1] += 1 if piece == "(" else -1
        if modes[-1] == -1: modes.pop()
    return "".join(out) + text[at:]


def split(text, at, is_list=True):
    """The parts between commas from `at` to the end of a bracketed list, or else of a line, with their offsets."""
    parts, depth = [], 0
    for match in SEPARATOR.finditer(text, at):
        opens, closes, comma, line = match.groups()
        is_end = depth == 0 and (closes or not is_list and (opens == "{" or line and text[match.start() - 1] not in ",=("))
        if depth == 0 and (comma or is_end): parts.append((at, text[at:match.start()])); at = match.end()
        if is_end: break
        depth += bool(opens) - bool(closes)
    return [(at, part) for at, part in parts if part.strip()]


def members(text):
    """Declarations outside of functions, and extensions; their labels are a pattern that those of calls match."""
    scopes, scope = [("", "")], None  # A scope is a type's name and conformances; None for other brackets.
    for match in DECLARATION.finditer(text):
        kind, name, bracket = match.groups()
        if bracket: scopes.append(scope if bracket == "{" else None); scope = None if bracket == "{" else scope
        elif not kind: scopes.pop()
        if not kind or not scopes[-1] or kind == "func" and not name: continue  # Operators have no name.
        at = match.start(1 if kind == "init" else 2)
        found, labels = [(at, name or kind)], ".*"
        if kind in TYPES: scope = name, text[at:text.find("{", at)]
        elif kind in ("func", "init"):
            parts = [re.sub(r"@\w+(?:\([^)]*\))?", "", part) for _, part in split(text, text.index("(", at) + 1)]
            # A call may omit defaults and variadic arguments, also of parameter packs, and have a closure behind its parentheses.
            labels = "".join((f"(?:{label}:(?:_:)*)?" if "..." in part or ": repeat " in part else f"(?:{label}:)?" if " = " in part or "->" in part else f"{label}:")
                             for part in parts for label in part.split(":")[0].split()[:1])
        elif kind != "typealias":
            words = [(place, re.match(r"\s*`?([A-Za-z_]\w*)", part)) for place, part in split(text, at, False)]
            found = [(place + word.start(1), word[1]) for place, word in words if word]
        for at, name in found: yield Member(kind, name, at, *scopes[-1], labels)


def uses(text, own, names, types):
    """Names, labels, and the file's types if there is no dot; calls of initialisers as the type, if it is known, with a parenthesis."""
    places, local = {member.at for member in own}, {"", *(member.name for member in own if member.kind in TYPES)}
    for match in WORD.finditer(text):
        (name, call), at, end = match.groups(), match.start(1), match.end(1)
        if at in places or name not in names and not (call and name[0].isupper()): continue
        before, after = text[max(0, at - 60):at], text[end:end + 3]
        base = base[1] if (base := re.search(r"(\w*)[?!]?\.`?$", before)) else None
        if base is None and after[:1] == ":" and name[0].islower() or base == "self" and after == " = " or before.endswith(f"self.{name} = "): continue
        parts = [part for _, part in split(text, match.end(2))] if call == "(" else []
        labels = "".join(label[1] if (label := re.match(r"\s*((?:\w+:)+)(?!:)", part)) else "_:" for part in parts) if call else None
        yield name, labels, local if base is None and name[0].islower() else None
        type = base if name == "init" else name
        if type in types and (call or name == "init"): yield type + "(", labels, None
        elif call and (name == "init" or name[0].isupper()): yield "(", labels, None


def is_used(member, used):
    found = used[member.owner + "("] + used["("] if member.kind == "init" else used[member.name]
    return any((labels is None or re.fullmatch(member.labels, labels)) and (local is None or member.owner in local) for labels, local in found)


def main():
    texts = {path: code(path.read_text()) for folder in ("Sources", "Benchmarks", "Tests") for path in sorted((ROOT / folder).rglob("*.swift"))}
    found = {path: list(members(text)) for path, text in texts.items()}
    tests = {path for path in texts if path.is_relative_to(ROOT / "Tests")}
    ours = [(path, member) for path in texts if path not in tests for member in found[path]]
    types = {member.name for _, member in ours if member.kind in TYPES} - {member.name for _, member in ours if member.kind == "typealias"}
    used, tested, names = collections.defaultdict(list), collections.defaultdict(list), {member.name for _, member in ours}
    for path, text in texts.items():
        for name, labels, local in uses(text, found[path], names, types): (tested if path in tests else used)[name].append((labels, local))
    exceptions, complaints = {name for names in EXCEPTIONS.values() for name in names.split()}, []
    for path, member in ours:
        full = f"{member.owner}.{member.name}".lstrip(".") + ("" if member.labels == ".*" else f"({re.sub(r'[(][?]:|[)?*]', '', member.labels)})")
        if member.kind == "extension" or {member.name, full.split(".")[-1].split(":")[0]} & REQUIRED: continue
        if member.kind in ("var", "let", "case") and READ.search(member.conformances) or is_used(member, used): continue
        if full in exceptions: exceptions.remove(full); continue
        place = f"{path.relative_to(ROOT)}:{texts[path].count(chr(10), 0, member.at) + 1}"
        complaints.append(f"{place}: {'only tests use' if is_used(member, tested) else 'nothing uses'} {full}")
    sys.exit("\n".join([*complaints, *(f"{full} needs no exception" for full in sorted(exceptions))]) or 0)


if __name__ == "__main__": main()
