/// Unigrams and bigrams of texts, for the index and for queries.
///
/// FTS5's tokenizers find neither 物語 nor 살인의추억 within longer words (`unicode61`), nor anything under three characters (`trigram`).
/// So the index holds bigrams as its tokens, and unigrams for queries of one letter. It may return false positives, never
/// false negatives: ``SearchMatch`` checks the candidates.
enum SearchNGrams {
    /// The most of a query: more would only narrow the result.
    static let queryLimit = 64

    /// All that finds a text, separated by spaces.
    static func indexed(_ texts: some Sequence<FoldedText>) -> String {
        var grams: Set<String> = []
        for text in texts {
            for (index, scalar) in text.scalars.enumerated() {
                grams.insert(String(scalar))
                if let stem = HangulKeystrokes.stem(of: scalar) { grams.insert(String(stem)) }
                if let initial = HangulKeystrokes.initial(of: scalar) { grams.insert(String(initial)) }
                if index + 1 < text.scalars.count { grams.insert(self.pair(scalar, text.scalars[index + 1])) }
            }
        }
        return grams.sorted().joined(separator: " ")
    }

    /// An FTS5 expression that every text fulfils that matches all words (https://www.sqlite.org/fts5.html, section 3).
    /// - Returns: nil when nothing can match.
    static func expression(for words: [FoldedText]) -> String? {
        var all: [String] = []
        for word in words {
            let grams = self.queried(word)
            guard !grams.isEmpty else { return nil }
            for gram in grams where !all.contains(gram) && all.count < self.queryLimit { all.append(gram) }
        }
        // Letters and digits only: nothing in them ends a string of FTS5.
        return all.isEmpty ? nil : all.map { "\"\($0)\"" }.joined(separator: " AND ")
    }

    private static func queried(_ word: FoldedText) -> [String] {
        guard let last = word.scalars.last else { return [] }
        guard HangulKeystrokes.keys(of: last) != nil else { return self.grams(of: word.scalars[...]) }
        // The last syllable may be half of another: its neighbour is not certain.
        let head = self.grams(of: word.scalars.dropLast())
        guard let stem = HangulKeystrokes.stem(of: last) else { return head }
        return head + [String(stem)]
    }

    private static func grams(of scalars: ArraySlice<Unicode.Scalar>) -> [String] {
        guard scalars.count > 1 else { return scalars.map { String($0) } }
        return zip(scalars, scalars.dropFirst()).map { self.pair($0, $1) }
    }

    private static func pair(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> String {
        var pair = String.UnicodeScalarView()
        pair.append(first)
        pair.append(second)
        return String(pair)
    }
}
