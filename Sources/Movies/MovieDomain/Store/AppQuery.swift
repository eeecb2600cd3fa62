/// What somebody looks for in a store.
public struct AppQuery: Hashable, Sendable {
    /// The longest term, in characters.
    public static let maxLength = 200
    /// How many of the best matches may be left out.
    public static let offsets = 0...1000
    /// How many may be asked for at once.
    public static let limits = 1...50
    /// How many are asked for where nothing is said.
    public static let defaultLimit = 20

    /// Not empty, without outer white space, at most ``maxLength`` characters.
    public let term: String
    /// How many of the best matches to leave out.
    public let offset: Int
    /// At most so many.
    public let limit: Int

    /// - Returns: nil for a term that is empty, or too long, and for numbers out of ``offsets`` and ``limits``.
    public init?(_ term: String, offset: Int = 0, limit: Int = AppQuery.defaultLimit) {
        var trimmed = Substring(term)
        while trimmed.first?.isWhitespace == true { trimmed.removeFirst() }
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        guard !trimmed.isEmpty, trimmed.count <= Self.maxLength, Self.offsets.contains(offset),
            Self.limits.contains(limit)
        else { return nil }
        self.term = String(trimmed)
        self.offset = offset
        self.limit = limit
    }
}
