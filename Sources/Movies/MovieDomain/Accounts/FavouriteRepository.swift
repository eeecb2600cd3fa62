/// Keeps favourites with what they looked like.
///
/// Every function throws ``StorageFailure``, or `CancellationError`.
public protocol FavouriteRepository: Sendable {
    /// The latest first.
    ///
    /// - Parameters:
    ///   - page: From 1; behind the last there is an empty one.
    ///   - size: Of a page.
    func favourites(of owner: Owner, page: Int, size: Int) async throws -> Page<Favourite>

    /// nil when it is none.
    func favourite(_ id: MovieID, of owner: Owner) async throws -> Favourite?

    /// Of no effect when it is one already, but that what it looks like is renewed.
    ///
    /// - Returns: Whether it is new; nil when the owner has `limit` others already.
    func put(_ favourite: Favourite, of owner: Owner, limit: Int) async throws -> Bool?

    /// Of no effect when it is none.
    func remove(_ id: MovieID, of owner: Owner) async throws

    /// Those of `ids` that are favourites.
    func favouriteIDs(among ids: [MovieID], of owner: Owner) async throws -> Set<MovieID>
}
