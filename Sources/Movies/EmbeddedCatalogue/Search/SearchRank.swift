/// How well a film fits a query; lesser is better. Films without a rank do not fit.
struct SearchRank: Comparable, Sendable {
    /// What of the film fits, the best first.
    enum Fit: UInt16 {
        case title, beginningOfTitle, wordsOfTitle, insideTitle
        case director, cast, insideDirector, insideCast, character, genre, year
    }

    /// More are not told apart.
    private static let errorLimit = 7

    static let none = SearchRank(number: .max)

    /// From the most significant bit: 3 of errors, 4 of the fit, 1 of whether it is unfinished, 8 of the rest.
    let number: UInt16

    var isNone: Bool { self.number == .max }
    private var errors: UInt16 { self.number >> 13 }
    private var fit: UInt16 { self.number >> 9 & 0xF }
    private var isUnfinished: UInt16 { self.number >> 8 & 1 }

    /// Whether a word, a title or a name begins with the query, so that what it is for is known without correcting it.
    var isBeginning: Bool {
        ![Fit.insideTitle, .insideDirector, .insideCast].contains { $0.rawValue == self.fit }
    }

    /// Whether no part of the query is a character, a genre or a year, nor in the middle of a title or a name.
    var isOfTitleOrName: Bool { self.isBeginning && self.fit <= Fit.cast.rawValue }

    static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    /// - Parameters:
    ///   - errors: Keys of the query that are wrong, missing, additional or swapped.
    ///   - isUnfinished: Whether the query ends within a syllable.
    init(_ fit: Fit, errors: Int = 0, isUnfinished: Bool = false) {
        self.number = UInt16(min(errors, Self.errorLimit)) << 13 | fit.rawValue << 9 | (isUnfinished ? 1 << 8 : 0)
    }

    /// - Parameter rest: How much longer the title is than the query, in keys.
    func with(rest: Int) -> Self { Self(number: self.number | UInt16(min(rest, 0xFF))) }

    private init(number: UInt16) {
        self.number = number
    }

    /// Of a query that consists of two parts: the errors of both, and the worse fit.
    func joined(with other: Self) -> Self {
        guard !self.isNone, !other.isNone else { return .none }
        return Self(
            number: min(UInt16(Self.errorLimit), self.errors + other.errors) << 13 | max(self.fit, other.fit) << 9
                | (self.isUnfinished | other.isUnfinished) << 8)
    }
}
