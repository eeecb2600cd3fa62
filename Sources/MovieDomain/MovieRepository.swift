/// Where films are kept.
public protocol MovieRepository: Sendable {
    /// The film of that id; nil when there is none.
    func movie(_ id: Movie.ID) async throws -> Movie?

    /// Films in their source's order.
    ///
    /// - Parameter limit: At most so many.
    func movies(limit: Int) async throws -> [Movie]
}
