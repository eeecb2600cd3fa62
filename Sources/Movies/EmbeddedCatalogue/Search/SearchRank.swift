/// How well a film matches a query; lower is better. Films without a rank do not match.
struct SearchRank: Comparable, Sendable {
    /// The matching part of the film, in descending order of relevance.
    enum Fit: UInt16 {
        case title, beginningOfTitle, wordsOfTitle, insideTitle
        case director, cast, insideDirector, insideCast, character, genre, year
    }

    /// Larger numbers of errors count as this.
    private static let errorLimit = 7

    static let none = SearchRank(number: .max)

    /// From the most significant bit: 3 bits for errors, 4 for the fit, 1 for ``isUnfinished``, 8 for the rest.
    let number: UInt16

    var isNone: Bool { self.number == .max }
    private var errors: UInt16 { self.number >> 13 }
    private var fit: UInt16 { self.number >> 9 & 0xF }
    private var isUnfinished: UInt16 { self.number >> 8 & 1 }

    /// Whether a word, a title or a name begins with the query, which then needs no correction.
    var isBeginning: Bool {
        ![Fit.insideTitle, .insideDirector, .insideCast].contains { $0.rawValue == self.fit }
    }

    /// Whether no part of the query matches a character, a genre, a year, or the middle of a title or name.
    var isOfTitleOrName: Bool { self.isBeginning && self.fit <= Fit.cast.rawValue }

    static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    /// - Parameters:
    ///   - errors: Number of wrong, missing, additional or swapped keys in the query.
    ///   - isUnfinished: Whether the query ends within a syllable.
    init(_ fit: Fit, errors: Int = 0, isUnfinished: Bool = false) {
        self.number = UInt16(min(errors, Self.errorLimit)) << 13 | fit.rawValue << 9 | (isUnfinished ? 1 << 8 : 0)
    }

    /// - Parameter rest: The number of keys by which the title is longer than the query.
    func with(rest: Int) -> Self { Self(number: self.number | UInt16(min(rest, 0xFF))) }

    private init(number: UInt16) {
        self.number = number
    }

    /// The rank of a query of two parts: the sum of the errors, and the worse fit.
    func joined(with other: Self) -> Self {
        guard !self.isNone, !other.isNone else { return .none }
        return Self(
            number: min(UInt16(Self.errorLimit), self.errors + other.errors) << 13 | max(self.fit, other.fit) << 9
                | (self.isUnfinished | other.isUnfinished) << 8)
    }
}
