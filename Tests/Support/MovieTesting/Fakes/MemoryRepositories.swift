package import MovieDomain
import Synchronization

/// A favourite repository in memory.
package final class MemoryFavourites: FavouriteRepository {
    // By owner, oldest first.
    private let favourites = Mutex<[Owner: [Favourite]]>([:])
    private let failure = Mutex<StorageFailure?>(nil)

    package init() {}

    /// Makes all following moves fail; `nil` clears the failure.
    package func failMoves(with failure: StorageFailure?) {
        self.failure.withLock { $0 = failure }
    }

    /// Treats summaries as equally recent: the other owner's summary remains where both have a film.
    package func move(from owner: Owner, to other: Owner, limit: Int) async throws -> Int {
        if let failure = self.failure.withLock({ $0 }) { throw failure }
        guard owner != other else { return 0 }
        return self.favourites.withLock { all in
            var (rest, list) = (all[owner] ?? [], all[other] ?? [])
            let before = list.count
            for favourite in rest.reversed() {
                if let index = list.firstIndex(where: { $0.movie.id == favourite.movie.id }) {
                    let addedAt = min(list[index].addedAt, favourite.addedAt)
                    list[index] = Favourite(
                        movie: list[index].movie, addedAt: addedAt, language: list[index].language)
                } else if list.count < limit {
                    list.append(favourite)
                } else {
                    continue
                }
                rest.removeAll { $0.movie.id == favourite.movie.id }
            }
            list.sort { $0.addedAt < $1.addedAt }
            (all[owner], all[other]) = (rest, list)
            return list.count - before
        }
    }

    package func favourites(of owner: Owner, page: Int, size: Int) async throws -> Page<Favourite> {
        Page(page, of: self.favourites.withLock { $0[owner] ?? [] }.reversed(), size: size)
    }

    package func favourite(_ id: MovieID, of owner: Owner) async throws -> Favourite? {
        self.favourites.withLock { $0[owner]?.first { $0.movie.id == id } }
    }

    package func put(_ favourite: Favourite, of owner: Owner, limit: Int) async throws -> Bool? {
        self.favourites.withLock { all in
            var list = all[owner] ?? []
            defer { all[owner] = list }
            if let index = list.firstIndex(where: { $0.movie.id == favourite.movie.id }) {
                list[index] = Favourite(
                    movie: favourite.movie, addedAt: list[index].addedAt, language: favourite.language)
                return false
            }
            guard list.count < limit else { return nil }
            let index = list.lastIndex { $0.addedAt <= favourite.addedAt }.map { $0 + 1 } ?? 0
            list.insert(favourite, at: index)
            return true
        }
    }

    package func remove(_ id: MovieID, of owner: Owner) async throws {
        self.favourites.withLock { $0[owner]?.removeAll { $0.movie.id == id } }
    }

    /// All favourites of an owner, oldest first.
    package func all(of owner: Owner) -> [Favourite] { self.favourites.withLock { $0[owner] ?? [] } }

    /// - Returns: The number of removed favourites.
    package func removeAll(of owner: Owner) -> Int {
        self.favourites.withLock { $0.removeValue(forKey: owner)?.count ?? 0 }
    }

    package func favouriteIDs(among ids: [MovieID], of owner: Owner) async throws -> Set<MovieID> {
        self.favourites.withLock { Set($0[owner]?.map(\.movie.id) ?? []).intersection(ids) }
    }
}

/// A session repository in memory.
package final class MemorySessions: SessionRepository {
    private let sessions = Mutex<[AccessToken: Session]>([:])
    private let renewals = Mutex<(count: Int, failure: StorageFailure?)>((0, nil))

    package init() {}

    /// The number of sessions, including expired ones.
    package var count: Int { self.sessions.withLock { $0.count } }

    /// All sessions, including expired ones.
    package var all: [Session] { self.sessions.withLock { Array($0.values) } }

    /// - Returns: The removed sessions.
    package func removeAll(of owners: Set<Owner>) -> [Session] {
        self.sessions.withLock { sessions in
            let removed = sessions.filter { owners.contains($0.value.owner) }
            for token in removed.keys { sessions[token] = nil }
            return Array(removed.values)
        }
    }

    package func keep(_ session: Session, under token: AccessToken) async throws {
        self.sessions.withLock { sessions in
            sessions[token] = session
            Self.renewDevice(of: session, until: session.expiresAt, in: &sessions)
        }
    }

    private static func renewDevice(of session: Session, until end: Instant, in sessions: inout [AccessToken: Session])
    {
        guard let device = session.device else { return }
        for (token, other) in sessions where other.owner == .device(id: device) && other.expiresAt < end {
            sessions[token]?.expiresAt = end
        }
    }

    package func session(under token: AccessToken, at now: Instant) async throws -> Session? {
        self.sessions.withLock { $0[token] }.flatMap { now < $0.expiresAt ? $0 : nil }
    }

    /// The number of requested renewals.
    package var renewalCount: Int { self.renewals.withLock { $0.count } }

    /// Makes all following renewals fail; `nil` clears the failure.
    package func failRenewals(with failure: StorageFailure?) {
        self.renewals.withLock { $0.failure = failure }
    }

    /// Does nothing if the session already expires later.
    package func renew(_ token: AccessToken, until end: Instant, deviceUntil deviceEnd: Instant) async throws {
        try self.renewals.withLock { renewals in
            renewals.count += 1
            if let failure = renewals.failure { throw failure }
        }
        self.sessions.withLock { sessions in
            guard let session = sessions[token] else { return }
            sessions[token]?.expiresAt = max(session.expiresAt, end)
            Self.renewDevice(of: session, until: deviceEnd, in: &sessions)
        }
    }

    package func end(_ token: AccessToken, at now: Instant) async throws -> Session? {
        self.sessions.withLock { $0.removeValue(forKey: token) }.flatMap { now < $0.expiresAt ? $0 : nil }
    }
}

/// A poster decision repository in memory.
package final class MemoryPosterDecisions: PosterDecisionRepository {
    private let decisions = Mutex<[MovieID: (decision: PosterDecision, expiresAt: Instant)]>([:])

    package init() {}

    /// The number of decisions, including expired ones.
    package var count: Int { self.decisions.withLock { $0.count } }

    /// Expiry of a decision; `nil` if there is none.
    package func expiry(of id: MovieID) -> Instant? {
        self.decisions.withLock { $0[id]?.expiresAt }
    }

    package func decision(for id: MovieID, at now: Instant) async throws -> PosterDecision? {
        self.decisions.withLock { $0[id].flatMap { now < $0.expiresAt ? $0.decision : nil } }
    }

    package func keep(_ decision: PosterDecision, for id: MovieID, until expiresAt: Instant) async throws {
        self.decisions.withLock { $0[id] = (decision, expiresAt) }
    }

    package func forget(_ id: MovieID) async throws {
        self.decisions.withLock { $0[id] = nil }
    }
}
