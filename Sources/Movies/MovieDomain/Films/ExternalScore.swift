/// What somebody else than the source thinks of a film, in their own way of counting.
public struct ExternalScore: Hashable, Sendable {
    /// Who, such as `Rotten Tomatoes`.
    public let name: String
    /// Such as `87%` or `7.9/10`.
    public let value: String

    /// What somebody else thinks of a film.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
