import MovieDomain
import MovieHTTP
import Synchronization

/// Finds films and people of the embedded catalogue by their derived numbers, which say nothing about their keys.
///
/// The catalogue is read at the first use, and again for an unknown number, at most once per ``interval``.
///
/// Under the lock: the tables.
final class TMDBNumberTable: Sendable {
    /// The time between two readings of the catalogue, in seconds.
    static let interval: Int64 = 60
    /// The most pages of the catalogue that are read.
    static let pageLimit = 50

    private struct Table: Sendable {
        var films: [Int: MovieID] = [:]
        var people: [Int: PersonID] = [:]
        /// Once each, those of the most popular films first.
        var order: [PersonID] = []
        let readAt: Instant
    }

    private let services: MovieServices
    private let table = Mutex<Table?>(nil)

    init(_ services: MovieServices) {
        self.services = services
    }

    /// nil for a number that no film has.
    ///
    /// - Throws: `SourceFailure`, `CancellationError`.
    func film(_ number: Int) async throws -> MovieID? {
        if self.services.catalogue.source == .tmdb { return MovieID(source: .tmdb, key: String(number)) }
        guard TMDBNumber.derived.contains(number) else { return nil }
        return try await self.value { $0.films[number] }
    }

    /// nil for a number that no person has.
    ///
    /// - Throws: `SourceFailure`, `CancellationError`.
    func person(_ number: Int) async throws -> PersonID? {
        if self.services.catalogue.source == .tmdb { return PersonID(source: .tmdb, key: String(number)) }
        guard TMDBNumber.derived.contains(number) else { return nil }
        return try await self.value { $0.people[number] }
    }

    /// All people of the embedded catalogue, those of the most popular films first.
    ///
    /// - Throws: `SourceFailure`, `CancellationError`.
    func people() async throws -> [PersonID] { try await self.value { $0.order } ?? [] }

    private func value<Value>(_ find: (Table) -> Value?) async throws -> Value? {
        let known = self.table.withLock { $0 }
        if let known {
            if let value = find(known) { return value }
            guard known.readAt.secondsSince1970 + Self.interval <= self.services.now().secondsSince1970 else {
                return nil
            }
        }
        let read = try await self.read()
        self.table.withLock { $0 = read }
        return find(read)
    }

    private func read() async throws -> Table {
        var table = Table(readAt: self.services.now())
        let language = LanguagePreference([.english])
        for film in try await self.services.allFilms(language: language, pageLimit: Self.pageLimit) {
            guard let number = TMDBNumber.number(of: film.id) else { continue }
            table.films[number] = film.id
            let repository = try self.services.sources.repository(of: film.id.source)
            guard let credits = try await repository.credits(of: film.id, language: language) else { continue }
            for id in credits.cast.compactMap(\.id) + credits.crew.compactMap(\.id) {
                guard let number = TMDBNumber.number(of: id) else { continue }
                if table.people.updateValue(id, forKey: number) == nil { table.order.append(id) }
            }
        }
        return table
    }
}

extension MovieServices {
    /// All films of a small catalogue by popularity.
    ///
    /// - Parameter pageLimit: The most pages that are read.
    func allFilms(language: LanguagePreference, pageLimit: Int) async throws -> [MovieSummary] {
        var films: [MovieSummary] = []
        var page = 1
        while page <= pageLimit {
            let found = try await self.catalogue.list(.popular, page: page, language: language, region: nil)
            films += found.results
            guard page < found.totalPages else { break }
            page += 1
        }
        return films
    }
}
