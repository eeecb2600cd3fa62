/// The probable meaning of a query, for sources that search by themselves and found nothing.
package enum NormalisedQuery {
    /// Corrects the keyboard's language; otherwise removes punctuation, accents and differences of width.
    /// - Returns: `nil` if only upper case and spaces would differ.
    package static func text(of query: String) -> String? {
        let folded = FoldedText(query)
        // A capital only at the beginning, or capitals throughout (caps lock), do not mean shifted Hangul keys.
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
    fileprivate var spaced: String {
        self.words.map { String(String.UnicodeScalarView($0.scalars)) }.joined(separator: " ")
    }
}
