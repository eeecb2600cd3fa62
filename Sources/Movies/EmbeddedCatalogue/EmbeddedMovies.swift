import GRDB
package import MovieDomain
import MovieLibrary
import RebuildableDatabase

/// The embedded catalogue's films, in the library's database.
package struct EmbeddedMovies: MovieRepository {
    static let pageSize = 20
    static let latestReviews = 3

    let database: CatalogueDatabase

    package init(_ database: CatalogueDatabase) {
        self.database = database
    }

    package var source: MovieSource { .embedded }

    /// The first `limit` films in the catalogue's order.
    package func all(limit: Int, language: LanguagePreference) async throws -> [MovieSummary] {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        return catalogue.films.prefix(max(0, limit)).compactMap { $0.summary(in: language, catalogue.names) }
    }

    package func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
        let damage = self.database.library.damage
        return try await self.database.read { db, catalogue in
            guard let film = catalogue.film(id) else { return nil }
            let reviews = try ReviewRecord.page(1, size: Self.latestReviews, of: id, db, damage)
            return film.movie(in: language, catalogue.names, reviews: reviews)
        }
    }

    package func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits? {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        return catalogue.film(id)?.credits(in: language, catalogue.names)
    }

    package func images(of id: MovieID) async throws -> [FilmImage]? {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        return catalogue.film(id)?.images
    }

    /// The film's reviews, in any language; `nil` if the film is unknown.
    package func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review>? {
        let damage = self.database.library.damage
        return try await self.database.read { db, catalogue in
            guard catalogue.film(id) != nil else { return nil }
            return try ReviewRecord.page(page, size: Self.pageSize, of: id, db, damage)
        }
    }

    /// Films with people, genres, countries and decade in common; `nil` if the film is unknown.
    package func similar(
        to id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>? {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        guard let film = catalogue.film(id) else { return nil }
        return Page(page, of: Similarity.films(like: film, among: catalogue.films), size: Self.pageSize)
            .summaries(in: language, catalogue.names)
    }

    /// The best rated films that share a genre but are not similar, at most one page; `nil` if the film is unknown.
    package func recommendations(
        for id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>? {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        guard let film = catalogue.film(id) else { return nil }
        let others = catalogue.byScore.filter { Similarity.isRelated($0, to: film) }
        return Page(page, of: Array(others.prefix(Self.pageSize)), size: Self.pageSize)
            .summaries(in: language, catalogue.names)
    }
}

extension Page<EmbeddedFilm> {
    func summaries(in language: LanguagePreference, _ names: CatalogueNames) -> Page<MovieSummary> {
        self.replacing(self.results.compactMap { $0.summary(in: language, names) })
    }
}

/// A row of `filmReview`. All reviews are invented.
private struct ReviewRecord {
    let number: Int
    let author: String
    let score: Double?
    /// `YYYY-MM-DD`.
    let day: String
    let content: String

    private init(row: Row) throws(DamagedRow) {
        self.number = try row.checked("number")
        self.author = try row.checked("author")
        self.score = try row.checkedIfPresent("score", in: 0...10)
        self.day = try row.checked("day")
        self.content = try row.checked("content")
    }

    /// A page of a film's reviews, the latest first.
    static func page(
        _ number: Int, size: Int, of film: MovieID, _ db: Database, _ damage: DamagedRecords
    ) throws -> Page<Review> {
        let window = PageWindow(number: number, size: size)
        let (records, total) = try window.rows(
            db, count: "SELECT COUNT(*) FROM filmReview WHERE filmId = ?",
            select: """
                SELECT number, author, score, day, content FROM filmReview WHERE filmId = ?
                ORDER BY day DESC, number DESC
                """, arguments: [film.key], of: "filmReview", damage, decode: ReviewRecord.init(row:))
        return window.page(records.map { $0.review(of: film) }, of: total)
    }

    private func review(of film: MovieID) -> Review {
        let instant = CalendarDate(self.day).map { Instant(secondsSince1970: Int64($0.dayNumber) * 86_400) }
        return Review(
            id: "\(film.key)-\(self.number)", author: self.author, score: self.score, content: self.content,
            createdAt: instant)
    }
}

/// Scores the similarity of films.
enum Similarity {
    /// The minimum score of similar films: a single common genre does not suffice.
    static let threshold = 3

    /// Films with at least ``threshold`` points, in descending order; equal ones by distance in years, then position.
    static func films(like film: EmbeddedFilm, among films: [EmbeddedFilm]) -> [EmbeddedFilm] {
        films.filter { $0.id != film.id }
            .map { (film: $0, points: self.points(film, $0)) }
            .filter { $0.points >= self.threshold }
            .sorted { left, right in
                if left.points != right.points { return left.points > right.points }
                let (nearer, farther) = (abs(left.film.year - film.year), abs(right.film.year - film.year))
                return (nearer, left.film.position) < (farther, right.film.position)
            }
            .map(\.film)
    }

    /// Whether the films share a genre without being similar.
    static func isRelated(_ other: EmbeddedFilm, to film: EmbeddedFilm) -> Bool {
        other.id != film.id && self.shared(film.genres, other.genres) > 0
            && self.points(film, other) < self.threshold
    }

    private static func shared<Value: Hashable>(_ values: [Value], _ others: [Value]) -> Int {
        Set(values).intersection(others).count
    }

    private static func points(_ one: EmbeddedFilm, _ other: EmbeddedFilm) -> Int {
        return 6 * self.shared(one.crew.map(\.name), other.crew.map(\.name)) + 2 * self.shared(one.genres, other.genres)
            + 2 * self.shared(one.cast.map(\.name), other.cast.map(\.name))
            + self.shared(one.countries, other.countries)
            + (one.year / 10 == other.year / 10 ? 1 : 0)
    }
}
