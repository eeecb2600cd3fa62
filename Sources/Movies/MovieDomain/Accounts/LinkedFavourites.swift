/// Favourites under any of a film's ids: a film that was added under one id is a favourite under all linked ids.
///
/// While the links cannot be read, every id stands for itself; the repository of links logs the failure.
package struct LinkedFavourites: FavouriteRepository {
    private let favourites: any FavouriteRepository
    private let links: any FilmLinkRepository

    package init(_ favourites: any FavouriteRepository, links: any FilmLinkRepository) {
        self.favourites = favourites
        self.links = links
    }

    /// The stored entries, with the ids under which they were added.
    package func favourites(of owner: Owner, page: Int, size: Int) async throws -> Page<Favourite> {
        try await self.favourites.favourites(of: owner, page: page, size: size)
    }

    /// The entry of this id, or else of another id of the film.
    package func favourite(_ id: MovieID, of owner: Owner) async throws -> Favourite? {
        if let favourite = try await self.favourites.favourite(id, of: owner) { return favourite }
        let others = try await self.otherIDs(of: id)
        guard let other = try await self.favourites.favouriteIDs(among: others, of: owner).first else { return nil }
        return try await self.favourites.favourite(other, of: owner)
    }

    /// Does not change an existing entry under another id of the film.
    package func put(_ favourite: Favourite, of owner: Owner, limit: Int) async throws -> Bool? {
        let id = favourite.movie.id
        let others = try await self.otherIDs(of: id)
        let known = try await self.favourites.favouriteIDs(among: others + [id], of: owner)
        if !known.isEmpty, !known.contains(id) { return false }
        return try await self.favourites.put(favourite, of: owner, limit: limit)
    }

    /// Removes the entries under all ids of the film.
    package func remove(_ id: MovieID, of owner: Owner) async throws {
        for id in try await self.otherIDs(of: id) + [id] { try await self.favourites.remove(id, of: owner) }
    }

    /// The underlying repository resolves links itself.
    package func move(from owner: Owner, to other: Owner, limit: Int) async throws -> Int {
        try await self.favourites.move(from: owner, to: other, limit: limit)
    }

    package func favouriteIDs(among ids: [MovieID], of owner: Owner) async throws -> Set<MovieID> {
        let links = try await self.readableLinks(of: ids)
        guard !links.isEmpty else { return try await self.favourites.favouriteIDs(among: ids, of: owner) }
        var counterparts: [MovieID: MovieID] = [:]
        for link in links { counterparts[link.film] = link.counterpart }
        let all = Set(ids).union(counterparts.keys).union(counterparts.values)
        let stored = try await self.favourites.favouriteIDs(among: Array(all), of: owner)
        // Identifies a film by its counterpart's id, or by its own without a link.
        let films = Set(stored.map { counterparts[$0] ?? $0 })
        return Set(ids.filter { films.contains(counterparts[$0] ?? $0) })
    }

    private func otherIDs(of id: MovieID) async throws -> [MovieID] {
        let links = try await self.readableLinks(of: [id])
        return Set(links.flatMap { [$0.film, $0.counterpart] }).subtracting([id]).sorted {
            $0.description < $1.description
        }
    }

    private func readableLinks(of ids: [MovieID]) async throws -> [FilmLink] {
        do { return try await self.links.links(of: ids) } catch is StorageFailure { return [] }
    }
}
