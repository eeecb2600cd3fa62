import Flights
package import MovieDomain
import UpstreamClient

/// Ratings of several films at once.
extension TMDBAccounts {
    /// From the list of all films that the account has rated, of which TMDB sends 20 a page. A single film's is requested by
    /// itself when it may be behind the end of what is read of a long list.
    package func ratings(of ids: [MovieID], with session: UpstreamSession) async throws -> [MovieID: Rating]? {
        guard Self.isAccount(session.accountID) else { throw SessionExpired() }
        let films = self.tmdb.ratedFilms
        let list = try await films.list(of: session.accountID) {
            try await self.ratedFilms(with: session)
        }
        if let ratings = Self.ratings(of: ids, in: list) { return ratings }
        guard list != nil, ids.count == 1, let id = ids.first else { return nil }
        let late = SourceFailure.tooSlow(self.source)
        return try await withTimeout(films.waitLimit, throwing: late, sleep: films.sleep) {
            do {
                return try await self.rating(of: id, with: session).map { [id: $0] } ?? [:]
            } catch is UnknownMovie {
                return [:]
            }
        }
    }

    /// - Returns: nil when the list does not say it of all of them.
    private static func ratings(of ids: [MovieID], in list: TMDBRatedFilms.List?) -> [MovieID: Rating]? {
        guard let list else { return nil }
        let ratings = ids.reduce(into: [MovieID: Rating]()) { $0[$1] = list.ratings[$1] }
        return list.isComplete || ids.allSatisfy { ratings[$0] != nil } ? ratings : nil
    }

    /// All films that the account has rated, as far as ``TMDBRatedFilms/pageLimit`` allows.
    private func ratedFilms(with session: UpstreamSession) async throws -> TMDBRatedFilms.List {
        let first = try await self.ratedPage(1, language: .english, with: session)
        let last = min(first.totalPages, TMDBRatedFilms.pageLimit)
        var pages = [first]
        if last > 1 {
            pages += try await withThrowingTaskGroup(of: TMDBPage.self) { group in
                var next = 2
                var pages: [TMDBPage] = []
                while next <= min(last, 1 + TMDBRatedFilms.pagesAtOnce) {
                    self.add(page: &next, to: &group, session)
                }
                for try await page in group {
                    pages.append(page)
                    if next <= last { self.add(page: &next, to: &group, session) }
                }
                return pages
            }
        }
        let ratings = pages.flatMap(\.rows).compactMap { row in
            row.rating.flatMap(Self.rating).map { (row.id, $0) }
        }
        return TMDBRatedFilms.List(
            ratings: Dictionary(ratings) { first, _ in first }, isComplete: first.totalPages <= last)
    }

    private func add(
        page: inout Int, to group: inout ThrowingTaskGroup<TMDBPage, any Error>, _ session: UpstreamSession
    ) {
        let number = page
        group.addTask { try await self.ratedPage(number, language: .english, with: session) }
        page += 1
    }
}
