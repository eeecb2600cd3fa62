/// How well a word of a query is found in a text; lesser is better.
struct SearchMatch: Comparable {
    /// Where in the text.
    enum Place: Comparable {
        case whole
        case beginning
        case beginningOfWord
        case inside
    }

    let place: Place
    /// Whether the query's last syllable is only the beginning of the text's.
    let isUnfinished: Bool

    static func < (left: Self, right: Self) -> Bool {
        (left.place, left.isUnfinished ? 1 : 0) < (right.place, right.isUnfinished ? 1 : 0)
    }

    /// The best place of `word` in `text`.
    /// - Returns: nil when it is not there. A single Latin letter is only there where a word begins with it.
    init?(of word: FoldedText, in text: FoldedText) {
        guard let last = word.scalars.last else { return nil }
        let head = word.scalars.dropLast()
        let keys = HangulKeystrokes.keys(of: last)
        let needsWordStart = word.scalars.count == 1 && last.isASCII && !(48...57).contains(last.value)
        guard text.scalars.count > head.count else { return nil }
        var best: SearchMatch?
        for start in 0..<(text.scalars.count - head.count) where Self.holds(text.scalars, head, at: start) {
            let end = start + head.count
            let isLiteral = text.scalars[end] == last
            guard isLiteral || Self.isBegun(text.scalars, at: end, keys) else { continue }
            let match = SearchMatch(
                place: Self.place(from: start, to: isLiteral ? end + 1 : nil, in: text), isUnfinished: !isLiteral)
            if match.place == .inside, needsWordStart { continue }
            best = best.map { min($0, match) } ?? match
            if match.place <= .beginning, isLiteral { break }
        }
        guard let best else { return nil }
        self = best
    }

    private init(place: Place, isUnfinished: Bool) {
        self.place = place
        self.isUnfinished = isUnfinished
    }

    private static func place(from start: Int, to end: Int?, in text: FoldedText) -> Place {
        if start == 0 { return end == text.scalars.count ? .whole : .beginning }
        return text.wordStarts.contains(start) ? .beginningOfWord : .inside
    }

    private static func holds(
        _ scalars: [Unicode.Scalar], _ part: ArraySlice<Unicode.Scalar>, at start: Int
    ) -> Bool {
        var index = start
        for scalar in part {
            guard scalars[index] == scalar else { return false }
            index += 1
        }
        return true
    }

    /// Whether what stands there is typed with these keys first.
    private static func isBegun(_ scalars: [Unicode.Scalar], at start: Int, _ keys: [UInt8]?) -> Bool {
        guard let keys else { return false }
        var typed: [UInt8] = []
        for scalar in scalars[start...].prefix(2) {
            guard let keys = HangulKeystrokes.keys(of: scalar) else { break }
            typed += keys
        }
        return typed.starts(with: keys)
    }
}
