public import MovieDomain
import Synchronization

/// Favourites in memory.
public final class MemoryFavourites: FavouriteRepository {
    // By owner, the oldest first.
    private let favourites = Mutex<[Owner: [Favourite]]>([:])

    /// Nobody's.
    public init() {}

    /// The latest first.
    public func favourites(of owner: Owner, page: Int, size: Int) async throws -> Page<Favourite> {
        Page(page, of: self.favourites.withLock { $0[owner] ?? [] }.reversed(), size: size)
    }

    /// nil when it is none.
    public func favourite(_ id: MovieID, of owner: Owner) async throws -> Favourite? {
        self.favourites.withLock { $0[owner]?.first { $0.movie.id == id } }
    }

    /// Of no effect when it is one already, but that what it looks like is renewed.
    public func put(_ favourite: Favourite, of owner: Owner, limit: Int) async throws -> Bool? {
        self.favourites.withLock { all in
            var list = all[owner] ?? []
            defer { all[owner] = list }
            if let index = list.firstIndex(where: { $0.movie.id == favourite.movie.id }) {
                list[index] = Favourite(movie: favourite.movie, addedAt: list[index].addedAt)
                return false
            }
            guard list.count < limit else { return nil }
            let index = list.lastIndex { $0.addedAt <= favourite.addedAt }.map { $0 + 1 } ?? 0
            list.insert(favourite, at: index)
            return true
        }
    }

    /// Of no effect when it is none.
    public func remove(_ id: MovieID, of owner: Owner) async throws {
        self.favourites.withLock { $0[owner]?.removeAll { $0.movie.id == id } }
    }

    /// Those of `ids` that are favourites.
    public func favouriteIDs(among ids: [MovieID], of owner: Owner) async throws -> Set<MovieID> {
        self.favourites.withLock { Set($0[owner]?.map(\.movie.id) ?? []).intersection(ids) }
    }
}
