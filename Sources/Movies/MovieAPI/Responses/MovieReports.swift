import HTTPSemantics
import HTTPServer
package import MovieDomain
package import PosterAPI

/// Values and JSON of the movie resources for the command line, without HTTP.
package struct MovieReports: Sendable {
    /// A result as a value and as JSON.
    package struct Report<Value: Sendable>: Sendable {
        /// For tables.
        package let value: Value
        /// For machines.
        package let json: [UInt8]
        /// What has to be shown beside it.
        package let attribution: [String]
    }

    private let responses: MovieResponses
    private let language: LanguagePreference

    /// - Parameters:
    ///   - services: What is answered from, in its default language.
    ///   - policies: What pictures may be asked for.
    ///   - links: Writes their URLs.
    package init(_ services: MovieServices, policies: ReloadablePicturePolicy, links: PosterURLBuilder) {
        self.responses = MovieResponses(
            services: services, principals: .anonymous, posters: SourcePosterLookup(policies: policies, links: links),
            policies: policies, links: links)
        self.language = LanguagePreference([services.defaultLanguage])
    }

    /// What a GET of `/movies/search` answers.
    package func search(_ query: MovieQuery, page: Int) async throws -> Report<Page<MovieSummary>> {
        let catalogue = self.responses.services.catalogue
        let page = try await SearchMovies(catalogue: catalogue)(query, page: page, language: self.language)
        let films = try await self.responses.films(page.results, for: .anonymous)
        let sources = [catalogue.source] + page.results.map(\.id.source)
        return try Self.report(
            page, PageObject(page, results: films, limit: catalogue.pageLimit, sources: sources), of: sources)
    }

    /// The last page that ``search(_:page:)`` can be asked for.
    package var pageLimit: Int { self.responses.services.catalogue.pageLimit }

    /// What a GET of `/box-office/daily` or `/box-office/weekly` answers.
    package func boxOffice(_ part: ShowBoxOffice.Part, date: CalendarDate?) async throws -> Report<BoxOffice> {
        let show = ShowBoxOffice(boxOffice: self.responses.services.boxOffice, now: self.responses.services.now)
        let boxOffice = try await show(part, date: date, language: self.language)
        let object = try await self.responses.object(boxOffice, for: .anonymous)
        return try Self.report(boxOffice, object, of: [boxOffice.source])
    }

    /// What a GET of `/movies/{id}` answers.
    package func movie(_ id: MovieID) async throws -> Report<MovieDetails> {
        let show = ShowMovie(sources: self.responses.services.sources, supplements: self.responses.services.supplements)
        let details = try await show(id, language: self.language)
        let object = try await self.responses.object(details, of: id, for: .anonymous, language: self.language)
        return try Self.report(details, object, of: details.sources)
    }

    /// The `detail` of the problem response for an error; nil for errors that are no ``Problem``.
    package static func detail(of error: any Error) -> String? {
        ((error as? any ProblemConvertible)?.problem ?? error as? Problem)?.detail
    }

    private static func report<Value: Sendable>(
        _ value: Value, _ body: some Encodable, of sources: [MovieSource]
    ) throws -> Report<Value> {
        Report(value: value, json: try JSONResponse.bytes(of: body), attribution: Attribution.texts(of: sources) ?? [])
    }
}
