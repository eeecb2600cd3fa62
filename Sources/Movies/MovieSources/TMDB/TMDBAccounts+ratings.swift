import Flights
package import MovieDomain
import UpstreamClient

/// Values of several films at once: ratings, and films on the watchlist.
extension TMDBAccounts {
    package func ratings(of ids: [MovieID], with session: UpstreamSession) async throws -> [MovieID: Rating]? {
        try await self.values(of: ids, .rated, in: self.tmdb.ratedFilms, with: session) {
            $0.rating.flatMap(Self.rating)
        } alone: { id in
            do { return try await self.rating(of: id, with: session) } catch is UnknownMovie { return nil }
        }
    }

    package func watchlistIDs(among ids: [MovieID], with session: UpstreamSession) async throws -> Set<MovieID>? {
        let films = try await self.values(of: ids, .watchlist, in: self.tmdb.watchlistFilms, with: session) { _ in
            ()
        } alone: { id in
            try await self.isOnWatchlist(id, with: session) ? () : nil
        }
        return films.map { Set($0.keys) }
    }

    /// Looks up values in the list of all films, which TMDB sends in pages of 20. A single film's value is requested
    /// individually if it may be beyond the part of a long list that is read.
    ///
    /// - Parameters:
    ///   - value: Returns the value of a row.
    ///   - alone: Requests the value of a single film.
    private func values<Value: Sendable>(
        of ids: [MovieID], _ name: List, in films: TMDBAccountFilms<Value>, with session: UpstreamSession,
        value: @escaping @Sendable (TMDBRow) -> Value?, alone: @escaping @Sendable (MovieID) async throws -> Value?
    ) async throws -> [MovieID: Value]? {
        guard Self.isAccount(session.accountID) else { throw SessionExpired() }
        let list = try await films.list(of: session.accountID) {
            try await self.all(name, in: films, with: session, value)
        }
        guard let list else { return nil }
        let known = ids.reduce(into: [MovieID: Value]()) { $0[$1] = list.values[$1] }
        if list.isComplete || ids.allSatisfy({ known[$0] != nil }) { return known }
        guard ids.count == 1, let id = ids.first else { return nil }
        let late = SourceFailure.tooSlow(self.source)
        return try await withTimeout(films.waitLimit, throwing: late, sleep: films.sleep) {
            try await alone(id).map { [id: $0] } ?? [:]
        }
    }

    /// All films of the account's list, up to ``TMDBAccountFilms/pageLimit`` pages.
    private func all<Value: Sendable>(
        _ name: List, in films: TMDBAccountFilms<Value>, with session: UpstreamSession,
        _ value: (TMDBRow) -> Value?
    ) async throws -> TMDBAccountFilms<Value>.List {
        let first = try await self.listPage(name, 1, language: .english, with: session)
        let last = min(first.totalPages, TMDBAccountFilms<Value>.pageLimit)
        var pages = [first]
        if last > 1 {
            pages += try await withThrowingTaskGroup(of: TMDBPage.self) { group in
                var next = 2
                var pages: [TMDBPage] = []
                while next <= min(last, 1 + TMDBAccountFilms<Value>.pagesAtOnce) {
                    self.add(name, page: &next, to: &group, session)
                }
                for try await page in group {
                    pages.append(page)
                    if next <= last { self.add(name, page: &next, to: &group, session) }
                }
                return pages
            }
        }
        let values = pages.flatMap(\.rows).compactMap { row in value(row).map { (row.id, $0) } }
        return TMDBAccountFilms<Value>.List(
            values: Dictionary(values) { first, _ in first }, isComplete: first.totalPages <= last)
    }

    private func add(
        _ name: List, page: inout Int, to group: inout ThrowingTaskGroup<TMDBPage, any Error>,
        _ session: UpstreamSession
    ) {
        let number = page
        group.addTask { try await self.listPage(name, number, language: .english, with: session) }
        page += 1
    }
}
