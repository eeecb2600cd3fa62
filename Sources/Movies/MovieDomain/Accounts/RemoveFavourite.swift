/// Makes a film a favourite no longer.
public struct RemoveFavourite: Sendable {
    private let favourites: any FavouriteRepository

    /// - Parameter favourites: Keeps them.
    public init(favourites: any FavouriteRepository) {
        self.favourites = favourites
    }

    /// Of no effect for a film that is none; no source is asked.
    ///
    /// - Throws: ``StorageFailure``, `CancellationError`.
    public func callAsFunction(_ id: MovieID, of owner: Owner) async throws {
        try await self.favourites.remove(id, of: owner)
    }
}
