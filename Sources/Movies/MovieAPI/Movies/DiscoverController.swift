import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain

/// `GET /movies/discover` and `/movies/trending/{period}`
struct DiscoverController: Sendable {
    /// The first years of decades.
    static let decades = 1880...2990

    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        let filters = FilmFilter.Field.allCases.map(\.rawValue)
        self.responses.getFilms(
            "/movies/discover", known: filters + ["sort", "page", MovieRequest.regionParameter], on: router,
            self.discover)
        self.responses.getFilms("/movies/trending/:period", known: ["page"], on: router, self.trending)
    }

    private var catalogue: any MovieCatalogue { self.responses.services.catalogue }

    @Sendable
    private func discover(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let catalogue = self.catalogue
        let filter = try FilmFilter(parsed.query)
        let unknown = filter.fields.subtracting(catalogue.filters)
        // Ignoring it would be a wrong answer.
        if let field = FilmFilter.Field.allCases.first(where: unknown.contains) {
            throw Problem(.invalidParameter, self.refusal(of: field))
        }
        let page = try parsed.query.page(upTo: catalogue.pageLimit)
        let movies = try await catalogue.discover(
            filter, page: page, language: parsed.language, region: try self.responses.region(of: parsed))
        return try self.responses.response(movies, limit: catalogue.pageLimit, source: catalogue.source, parsed)
    }

    private func refusal(of field: FilmFilter.Field) -> String {
        let own = "\(field.rawValue): the films of \(self.catalogue.source.name) are not known by it"
        let option = self.responses.services.sources.options[.tmdb]
        return option.map { "\(own); those of \(MovieSource.tmdb.name) are, with \($0)" } ?? own
    }

    @Sendable
    private func trending(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let catalogue = self.catalogue
        guard let period = TrendingPeriod(rawValue: try parsed.segment(2)) else {
            let periods = TrendingPeriod.allCases.map(\.rawValue).joined(separator: " and ")
            throw Problem(.notFound, "there are no trends of that time; there are \(periods)")
        }
        let page = try parsed.query.page(upTo: catalogue.pageLimit)
        let movies = try await catalogue.trending(period, page: page, language: parsed.language)
        return try self.responses.response(movies, limit: catalogue.pageLimit, source: catalogue.source, parsed)
    }
}

extension FilmFilter {
    /// Reads the parameters; without any, it is all films by popularity.
    ///
    /// - Throws: ``Problem`` that says what is accepted.
    fileprivate init(_ query: QueryParameters) throws(Problem) {
        let genres = GenreID.allCases.map(\.rawValue).joined(separator: ", ")
        self.init(
            genres: try query.value(
                Field.genre.rawValue, accepted: "1 to \(Self.genreLimit) of these, separated by commas: \(genres)",
                Self.genres) ?? [],
            years: try Self.years(query), country: try query.country(Field.country.rawValue),
            originalLanguage: try query.value(
                Field.originalLanguage.rawValue, accepted: "a language such as ko, en or ja-JP"
            ) { Language(tag: $0) },
            keyword: try query.value(Field.keyword.rawValue, accepted: "the id of a keyword, such as tmdb:818") {
                Keyword.tmdbNumber(ofID: $0) == nil ? nil : $0
            }, sort: try query.choice("sort") ?? .popularity)
    }

    /// Each once.
    private static func genres(_ text: String) -> [GenreID]? {
        var genres: [GenreID] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let genre = GenreID(rawValue: String(word)) else { return nil }
            if !genres.contains(genre) { genres.append(genre) }
        }
        return (1...Self.genreLimit).contains(genres.count) ? genres : nil
    }

    private static func years(_ query: QueryParameters) throws(Problem) -> ClosedRange<Int>? {
        let year = try query.number(Field.year.rawValue, in: ListController.years)
        let known = DiscoverController.decades
        let decade = try query.value(
            Field.decade.rawValue,
            accepted: "the first year of a decade from \(known.lowerBound) to \(known.upperBound), such as 1990"
        ) { text in
            QueryParameters.number(text).flatMap { known.contains($0) && $0.isMultiple(of: 10) ? $0 : nil }
        }
        guard year == nil || decade == nil else {
            throw Problem(.invalidParameter, "year and decade exclude each other: leave one of them out")
        }
        return year.map { $0...$0 } ?? decade.map { $0...($0 + 9) }
    }
}
