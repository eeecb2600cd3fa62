/// A kind of films.
public struct Genre: Hashable, Sendable {
    /// What its source calls it, such as `878` or `science-fiction`.
    public let id: String
    /// For people.
    public let name: String

    /// A kind of films.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
