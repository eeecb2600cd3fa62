package import MovieDomain

/// The user data of repositories in memory.
package struct MemoryUserData: UserDataRepository {
    private let sessions: MemorySessions
    private let favourites: MemoryFavourites
    private let watchlist: MemoryFavourites

    package init(
        sessions: MemorySessions = MemorySessions(), favourites: MemoryFavourites = MemoryFavourites(),
        watchlist: MemoryFavourites = MemoryFavourites()
    ) {
        self.sessions = sessions
        self.favourites = favourites
        self.watchlist = watchlist
    }

    package func data(of owner: Owner) async throws -> UserData {
        let owners = self.owners(of: owner)
        var data = UserData(owner: owner)
        data.favourites = Self.films(self.favourites, of: owners)
        data.watchlist = Self.films(self.watchlist, of: owners)
        data.sessions = self.sessions.all.filter { owners.contains($0.owner) }
            .map { UserData.StoredSession(owner: $0.owner, expiresAt: $0.expiresAt) }
        return data
    }

    package func erase(_ owner: Owner) async throws -> ErasedUserData {
        let owners = self.owners(of: owner)
        var erased = ErasedUserData()
        erased.favourites = owners.reduce(0) { $0 + self.favourites.removeAll(of: $1) }
        erased.watchlist = owners.reduce(0) { $0 + self.watchlist.removeAll(of: $1) }
        let sessions = self.sessions.removeAll(of: owners)
        erased.sessions = sessions.count
        erased.upstreamSessions = sessions.compactMap(\.upstream).filter { $0.source != .embedded }
        return erased
    }

    private func owners(of owner: Owner) -> Set<Owner> {
        let sessions = self.sessions.all
        var devices = Set(sessions.filter { $0.owner == owner }.compactMap(\.device))
        if case .device(let id) = owner { devices.insert(id) }
        let guests = sessions.filter { $0.device.map(devices.contains) ?? false }.map(\.owner)
        return Set([owner] + devices.map { .device(id: $0) } + guests)
    }

    private static func films(_ list: MemoryFavourites, of owners: Set<Owner>) -> [UserData.ListedFilm] {
        owners.flatMap { list.all(of: $0) }.sorted { $0.addedAt > $1.addedAt }.map { favourite in
            let movie = favourite.movie
            return UserData.ListedFilm(
                film: UserData.Film(id: movie.id, title: movie.title, year: movie.year), addedAt: favourite.addedAt)
        }
    }
}
