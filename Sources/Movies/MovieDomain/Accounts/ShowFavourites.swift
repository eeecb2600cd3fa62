/// What somebody likes, as it was known when they said so: no source is asked.
public struct ShowFavourites: Sendable {
    /// Of a page.
    public static let pageSize = 20

    private let favourites: any FavouriteRepository

    /// - Parameter favourites: Keeps them.
    public init(favourites: any FavouriteRepository) {
        self.favourites = favourites
    }

    /// The latest first.
    ///
    /// - Parameter page: From 1; behind the last there is an empty one.
    /// - Throws: ``StorageFailure``, `CancellationError`.
    public func callAsFunction(page: Int, of owner: Owner) async throws -> Page<Favourite> {
        try await self.favourites.favourites(of: owner, page: page, size: Self.pageSize)
    }

    /// A single one; nil for a film that is none.
    ///
    /// - Throws: ``StorageFailure``, `CancellationError`.
    public func callAsFunction(_ id: MovieID, of owner: Owner) async throws -> Favourite? {
        try await self.favourites.favourite(id, of: owner)
    }
}
