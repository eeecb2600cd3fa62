import HTTPServer

/// Texts as Naver writes them: for HTML, with what was looked for in `<b>`.
enum NaverText {
    /// The most words that are looked for in a title.
    private static let wordLimit = 16

    /// - Parameter query: What was looked for: as a whole, else its words.
    static func title(_ title: String, query: String) -> String {
        let characters = Array(title)
        let folded = characters.map { $0.lowercased() }
        var isMatch = [Bool](repeating: false, count: characters.count)
        let whole = query.split(whereSeparator: \.isWhitespace)
        if !Self.mark(whole.joined(separator: " "), in: folded, &isMatch) {
            for word in whole.prefix(Self.wordLimit) { _ = Self.mark(String(word), in: folded, &isMatch) }
        }
        var text = ""
        var wasMatch = false
        for (character, isMatch) in zip(characters, isMatch) {
            if isMatch != wasMatch { text += isMatch ? "<b>" : "</b>" }
            wasMatch = isMatch
            text += HTMLText.escape(String(character))
        }
        return wasMatch ? text + "</b>" : text
    }

    /// Names, each with a line behind it.
    static func names(_ names: [String]) -> String {
        names.filter { !$0.isEmpty }.map { HTMLText.escape($0.replacing("|", with: " ")) + "|" }.joined()
    }

    /// - Returns: Whether there is one.
    private static func mark(_ word: String, in text: [String], _ isMatch: inout [Bool]) -> Bool {
        let word = word.map { $0.lowercased() }
        guard !word.isEmpty, word.count <= text.count else { return false }
        var found = false
        var start = 0
        while start + word.count <= text.count {
            guard text[start..<start + word.count].elementsEqual(word) else {
                start += 1
                continue
            }
            for place in start..<start + word.count { isMatch[place] = true }
            found = true
            start += word.count
        }
        return found
    }
}
