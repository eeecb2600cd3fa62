import BoundedCache
package import MovieDomain
import UpstreamClient

/// TMDB's people and their search: one request per person and language returns facts and films.
package struct TMDBPeople: PersonRepository, PersonCatalogue {
    let tmdb: TMDB

    package var source: MovieSource { .tmdb }
    package var pageLimit: Int { TMDB.pageLimit }

    /// A person in the first preferred language. An empty biography is filled in the next languages and English, with
    /// at most two more requests.
    package func person(_ id: PersonID, language: LanguagePreference) async throws -> Person? {
        guard id.source == .tmdb else { return nil }
        async let genres = Supplement.ask { try await self.tmdb.genreNames(language: language) }
        guard var answer = try await self.answer(id, language: language.first) else { return nil }
        do {
            for other in language.fillers() where answer.person.biography.isEmpty {
                let others = try await Supplement.ask { try await self.answer(id, language: other) }
                if let others { answer.fill(from: others) }
            }
        } catch is SourceFailure {
            // Logged and recorded by the client; a person without a biography is still a person.
        }
        return answer.person(try await genres)
    }

    /// Like the search for films, falls back to the normalised query.
    package func search(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<PersonSummary> {
        try await self.tmdb.foundOrMeant(query) { try await self.found($0, page: page, language: language) }
    }

    private func found(
        _ query: MovieQuery, page: Int, language: LanguagePreference
    ) async throws -> Page<PersonSummary> {
        guard page <= self.pageLimit else { return Page(page, of: [], size: TMDB.pageSize) }
        async let genres = Supplement.ask { try await self.tmdb.genreNames(language: language) }
        let request = UpstreamRequest(
            "/search/person",
            query: [
                ("query", query.text), ("include_adult", "false"), ("page", String(max(1, page))),
                ("language", TMDB.tag(language.first)),
            ], language: language.first, lifetime: TMDB.Lifetime.search, isPermanent: true)
        let found = try await self.tmdb.client.get(request) { try TMDBPersonPage(decoding: $0) }
        guard let found else { throw SourceFailure.badAnswer(.tmdb, reason: "the search for people is missing") }
        return found.page(max(1, page), try await genres)
    }

    private func answer(_ id: PersonID, language: Language) async throws -> TMDBPerson? {
        let posters = self.tmdb.knownPosters
        let request = UpstreamRequest(
            "/person/\(id.key)",
            query: [("language", TMDB.tag(language)), ("append_to_response", "movie_credits,external_ids")],
            language: language, lifetime: TMDB.Lifetime.details)
        return try await self.tmdb.client.get(request) { response in
            let answer = try TMDBPerson(decoding: response)
            try DecodingPool.checkCompleteness()
            guard answer.person.id == id else { throw UnreadableResponse(reason: "is about another person") }
            for part in answer.parts {
                posters.insert(part.row.poster, for: TMDB.PosterKey(id: part.row.id, language: language))
            }
            return answer
        }
    }
}

extension PersonID {
    init?(tmdb row: TolerantObject) {
        guard let number = row.integer("id") else { return nil }
        self.init(source: .tmdb, key: String(number))
    }
}

/// A person as received in one language.
struct TMDBPerson: Sendable {
    struct Part: Sendable {
        var row: TMDBRow
        let roles: [String]
        let jobs: [Person.PersonJob]

        /// - Returns: `nil` for rows that are not films, and for adult films.
        init?(_ row: TolerantObject, isCast: Bool) {
            guard let film = TMDBRow(row), row.flag("adult") != true else { return nil }
            let department = row.text("department")
            self.row = film
            self.roles = isCast ? [row.text("character") ?? ""] : []
            self.jobs =
                isCast
                ? []
                : [
                    Person.PersonJob(
                        sourceJob: row.text("job") ?? department ?? "",
                        department: department.flatMap { Department(tmdb: $0) })
                ]
        }
    }

    /// The person with an empty filmography; ``parts`` contains the films.
    private(set) var person: Person
    private(set) var parts: [Part]

    init(decoding answer: UpstreamResponse) throws {
        let row = try TolerantJSON.object(answer.body)
        guard let id = PersonID(tmdb: row), let person = Self.person(id, row) else {
            throw UnreadableResponse(reason: "is not a person")
        }
        self.person = person
        let credits = row.object("movie_credits")
        self.parts =
            (credits?.rows("cast", limit: ResponseLimits.credits) ?? []).compactMap { Part($0, isCast: true) }
            + (credits?.rows("crew", limit: ResponseLimits.credits) ?? []).compactMap { Part($0, isCast: false) }
    }

    private static func person(_ id: PersonID, _ row: TolerantObject) -> Person? {
        let imdbID = row.text("imdb_id") ?? row.object("external_ids")?.text("imdb_id")
        return Person(
            id: id, name: row.text("name") ?? "", otherNames: row.texts("also_known_as"),
            biography: row.text("biography") ?? "", birthday: row.date("birthday")?.date,
            deathday: row.date("deathday")?.date, placeOfBirth: row.text("place_of_birth") ?? "",
            department: row.text("known_for_department").flatMap { Department(tmdb: $0) },
            homepage: WebURL.valid(row.text("homepage")), imdbID: imdbID.flatMap(Self.imdbName),
            portrait: TMDBPicture.location(row.text("profile_path")).map { PosterReference($0) })
    }

    /// Validates an IMDb name: `nm` and digits.
    private static func imdbName(_ text: String) -> String? {
        let digits = text.utf8.dropFirst(2)
        let isName =
            text.hasPrefix("nm") && (1...12).contains(digits.count) && digits.allSatisfy { (48...57).contains($0) }
        return isName ? text : nil
    }

    /// Fills empty texts from the answer in another language.
    mutating func fill(from other: TMDBPerson) {
        if self.person.biography.isEmpty { self.person.biography = other.person.biography }
        let others = Dictionary(other.parts.map { ($0.row.id, $0.row) }) { first, _ in first }
        for index in self.parts.indices {
            if let row = others[self.parts[index].row.id] { self.parts[index].row.fill(from: row) }
        }
    }

    func person(_ genres: TMDBGenres) -> Person {
        self.person.with(
            self.parts.compactMap { part in
                part.row.summary(genres).map { Person.FilmPart($0, roles: part.roles, jobs: part.jobs) }
            })
    }
}

/// A page of search results for people.
struct TMDBPersonPage: Sendable {
    private struct Row: Sendable {
        let person: PersonSummary
        let films: [TMDBRow]
    }

    private let rows: [Row]
    private let hasRows: Bool
    private let totalPages: Int
    private let totalResults: Int

    /// Drops rows without an id or a name.
    init(decoding answer: UpstreamResponse) throws {
        let object = try TolerantJSON.object(answer.body)
        guard object.has("results") else { throw UnreadableResponse(reason: "has no results") }
        var ids: Set<PersonID> = []
        let rows = object.rows("results")
        self.hasRows = !rows.isEmpty
        self.rows = rows.prefix(TMDB.pageSize).compactMap { row in
            guard let id = PersonID(tmdb: row), ids.insert(id).inserted,
                let person = PersonSummary(
                    id: id, name: row.text("name") ?? "", originalName: row.text("original_name") ?? "",
                    department: row.text("known_for_department").flatMap { Department(tmdb: $0) },
                    portrait: TMDBPicture.location(row.text("profile_path")).map { PosterReference($0) })
            else { return nil }
            return Row(person: person, films: TMDBPage.rows(row.rows("known_for").filter { $0.flag("adult") != true }))
        }
        self.totalPages = min(TMDB.pageLimit, object.integer("total_pages") ?? (self.rows.isEmpty ? 0 : 1))
        self.totalResults = object.integer("total_results") ?? self.rows.count
    }

    func page(_ number: Int, _ genres: TMDBGenres) -> Page<PersonSummary> {
        Page(
            number: number,
            results: self.rows.map { row in row.person.with(knownFor: row.films.compactMap { $0.summary(genres) }) },
            hasRows: self.hasRows, statedPages: self.totalPages, statedResults: self.totalResults)
    }
}
