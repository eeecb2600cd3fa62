/// A query as it may have been meant, for sources that search by themselves and found nothing.
package enum NormalisedQuery {
    /// Typed with the keyboard set to the other language, else without punctuation, accents and differences of width.
    /// - Returns: nil when it would be the same but for upper case and spaces.
    package static func text(of query: String) -> String? {
        let folded = FoldedText(query)
        // A capital that begins a sentence, or caps lock, is no shift key.
        let isUnshifted = query.dropFirst().allSatisfy { !$0.isUppercase } || query.allSatisfy { !$0.isLowercase }
        let typed = isUnshifted ? query.lowercased() : query
        if let korean = KeyboardLayout.hangulText(typed: typed), korean.unicodeScalars.count > 1 { return korean }
        let hasLoneLetters = folded.scalars.contains { HangulKeystrokes.isLoneLetter($0) }
        if hasLoneLetters, let latin = KeyboardLayout.latin(typed: folded) { return latin.spaced }
        let normalised = folded.spaced
        let plain = query.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return normalised.isEmpty || normalised == plain ? nil : normalised
    }
}

extension FoldedText {
    /// The words with spaces between them.
    fileprivate var spaced: String {
        self.words.map { String(String.UnicodeScalarView($0.scalars)) }.joined(separator: " ")
    }
}
