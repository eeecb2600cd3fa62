/// Everybody who knows single films, by source.
public struct MovieRepositories: Sendable {
    private let repositories: [MovieSource: any MovieRepository]
    /// Of those that are not there: what would switch them on.
    public let options: [MovieSource: String]

    /// - Parameters:
    ///   - repositories: Those that are there.
    ///   - options: Of those that are not: what would switch them on.
    public init(_ repositories: [any MovieRepository], off options: [MovieSource: String] = [:]) {
        self.repositories = Dictionary(repositories.map { ($0.source, $0) }) { first, _ in first }
        self.options = options
    }

    /// Whoever knows the films of a source.
    ///
    /// - Throws: ``SourceFailure/off(_:option:)``.
    public func repository(of source: MovieSource) throws(SourceFailure) -> any MovieRepository {
        if let repository = self.repositories[source] { return repository }
        throw .off(source, option: self.options[source] ?? "")
    }
}
