package import MovieDomain
package import MovieHTTP
import Synchronization

/// Finds films and people of the embedded catalogue by their derived numbers and ids, which do not contain their keys.
///
/// Reads the catalogue at the first use, and again for an unknown number once the last reading is ``interval`` old.
///
/// The lock protects the tables.
package final class TMDBNumberTable: Sendable {
    /// The time between two readings of the catalogue, in seconds.
    static let interval: Int64 = 60
    static let pageLimit = 50

    private struct Table: Sendable {
        var films: [Int: MovieID] = [:]
        /// By IMDb id.
        var titles: [String: MovieID] = [:]
        /// Films by the ids of their credits and reviews.
        var items: [String: MovieID] = [:]
        var people: [Int: PersonID] = [:]
        /// Without duplicates; people in the most popular films first.
        var order: [PersonID] = []
        let readAt: Instant
    }

    private let services: MovieServices
    private let table = Mutex<Table?>(nil)

    package init(_ services: MovieServices) {
        self.services = services
    }

    /// `nil` if no film has the number.
    ///
    /// - Throws: `SourceFailure`, `CancellationError`.
    package func film(_ number: Int) async throws -> MovieID? {
        if self.services.catalogue.source == .tmdb { return MovieID(source: .tmdb, key: String(number)) }
        guard TMDBNumber.derived.contains(number) else { return nil }
        return try await self.value { $0.films[number] }
    }

    /// - Parameter title: An IMDb id.
    /// - Returns: `nil` for an id that is not derived.
    /// - Throws: `SourceFailure`, `CancellationError`.
    package func film(title: String) async throws -> MovieID? {
        guard self.services.catalogue.source == .embedded, MovieID(source: .omdb, key: title) != nil else { return nil }
        return try await self.value { $0.titles[title] }
    }

    /// - Parameter text: A number or an IMDb id.
    /// - Returns: `nil` if the film is unknown.
    /// - Throws: `SourceFailure`, `CancellationError`.
    func film(_ text: String) async throws -> MovieID? {
        if let number = Int(text) { return try await self.film(number) }
        return try await self.film(title: text)
    }

    /// The film of a credit or a review.
    ///
    /// - Returns: `nil` for an id that is not derived.
    /// - Throws: `SourceFailure`, `CancellationError`.
    func film(ofItem id: String) async throws -> MovieID? {
        guard self.services.catalogue.source == .embedded else { return nil }
        return try await self.value { $0.items[id] }
    }

    /// `nil` if no person has the number.
    ///
    /// - Throws: `SourceFailure`, `CancellationError`.
    func person(_ number: Int) async throws -> PersonID? {
        if self.services.catalogue.source == .tmdb { return PersonID(source: .tmdb, key: String(number)) }
        guard TMDBNumber.derived.contains(number) else { return nil }
        return try await self.value { $0.people[number] }
    }

    /// All people of the embedded catalogue; people in the most popular films first.
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
            table.titles[TMDBNumber.title(of: film.id) ?? ""] = film.id
            for review in try await self.services.reviews(of: film.id) {
                table.items[TMDBNumber.id(of: review)] = film.id
            }
            let repository = try self.services.sources.repository(of: film.id.source)
            guard let credits = try await repository.credits(of: film.id, language: language) else { continue }
            let parts = credits.cast.map { ($0.id, $0.role) } + credits.crew.map { ($0.id, $0.sourceJob) }
            for case (let id?, let part) in parts {
                table.items[TMDBNumber.creditID(film.id, id, part)] = film.id
                guard let number = TMDBNumber.number(of: id) else { continue }
                if table.people.updateValue(id, forKey: number) == nil { table.order.append(id) }
            }
        }
        return table
    }
}

extension MovieServices {
    /// All films of a small catalogue, by popularity.
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

extension MovieServices {
    private static let reviewPageLimit = 10

    /// The reviews of a film of a small catalogue; empty for an unknown film.
    func reviews(of film: MovieID) async throws -> [Review] {
        let repository = try self.sources.repository(of: film.source)
        var reviews: [Review] = []
        for page in 1...Self.reviewPageLimit {
            let found = try await repository.reviews(of: film, page: page, language: LanguagePreference([.english]))
            reviews += found?.results ?? []
            guard let found, page < found.totalPages else { break }
        }
        return reviews
    }
}
