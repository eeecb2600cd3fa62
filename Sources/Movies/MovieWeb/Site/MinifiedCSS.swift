/// A style sheet without comments and insignificant spaces.
struct MinifiedCSS: Hashable, Sendable, CustomStringConvertible {
    /// Spaces around these are insignificant; elsewhere, as in `calc(1px + 2px)` and `a :hover`, they may matter.
    private static let closed: Set<Character> = ["{", "}", ";", ",", ">"]

    let description: String

    init(_ sheet: String) {
        var text = ""
        var rest = Substring(sheet)
        while let start = rest.firstRange(of: "/*") {
            text += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstRange(of: "*/") else { rest = ""; break }
            rest = rest[end.upperBound...]
        }
        text += rest

        var minified = ""
        minified.reserveCapacity(text.utf8.count)
        var quote: Character?
        var hasBlank = false
        for character in text {
            if let open = quote {
                minified.append(character)
                if character == open { quote = nil }
                continue
            }
            if character.isWhitespace {
                hasBlank = true
                continue
            }
            if hasBlank {
                // A colon ends a declaration's name, but precedes a name in selectors.
                let follows = minified.last.map { Self.closed.contains($0) || $0 == ":" } ?? true
                if !follows, !Self.closed.contains(character) { minified.append(" ") }
                hasBlank = false
            }
            if character == "}", minified.last == ";" { minified.removeLast() }
            if character == "\"" || character == "'" { quote = character }
            minified.append(character)
        }
        self.description = minified
    }
}
