/// What somebody looks for.
public struct MovieQuery: Hashable, Sendable {
    /// The longest text, in characters.
    public static let maxLength = 200

    /// Not empty, without outer white space, at most ``maxLength`` characters.
    public let text: String
    /// Of the first public showing; nil for any.
    public let year: Int?

    /// - Returns: nil for a text that is empty, or too long.
    public init?(_ text: String, year: Int? = nil) {
        var trimmed = Substring(text)
        while trimmed.first?.isWhitespace == true { trimmed.removeFirst() }
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        guard !trimmed.isEmpty, trimmed.count <= Self.maxLength else { return nil }
        self.text = String(trimmed)
        self.year = year
    }
}
