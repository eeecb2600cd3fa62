/// Somebody that a source knows.
public struct Account: Hashable, Sendable {
    /// Who knows them.
    public let source: MovieSource
    /// What the source calls them.
    public let id: String
    /// Never empty.
    public let username: String
    /// May be empty.
    public let name: String

    /// Somebody that a source knows.
    public init(source: MovieSource, id: String, username: String, name: String) {
        self.source = source
        self.id = id
        self.username = username
        self.name = name
    }
}
