import HTTPSemantics
package import HTTPServer
package import MovieDomain
package import MovieHTTP

/// Builds the responses of the movie resources, for the server and the command line.
package struct MovieResponses: Sendable {
    /// The values that determine a shared response.
    struct CacheKey: Hashable, Sendable {
        /// The path and query as received.
        let target: String
        let languages: LanguagePreference
        /// The generation of picture URLs.
        let generation: UInt64
    }

    let useCases: MovieUseCases
    let posters: FilmPictures
    /// Responses shared by all clients; slots are still empty.
    let cache: ResponseCache<CacheKey>

    package init(_ services: MovieServices, pictures: any PictureURLs, publicURL: PublicURL?) {
        self.useCases = MovieUseCases(services, publicURL: publicURL)
        self.posters = FilmPictures(services, urls: pictures)
        self.cache = ResponseCache(lifetime: services.sharedResponseLifetime)
    }

    var services: MovieServices { self.useCases.services }
    var pictures: any PictureURLs { self.posters.urls }

    /// - Parameter language: The language of the films' texts and posters.
    func films(
        _ movies: [MovieSummary], marks: FilmMarks, language: Language
    ) throws(Problem) -> [MovieSummaryObject] {
        try movies.map { movie throws(Problem) in
            MovieSummaryObject(
                movie, poster: try self.posters.poster(of: movie, language: language),
                backdrop: try self.posters.backdrop(of: movie), marks: marks)
        }
    }

    /// - Parameters:
    ///   - language: The language of the sections' labels, and of the poster.
    ///   - region: The country of the release and the rating; `nil` omits the release, and rates by language.
    func object(
        _ details: MovieDetails, marks: FilmMarks, language: LanguagePreference, region: Country?
    ) throws(Problem) -> MovieObject {
        let details = details.rated(in: region)
        let films = try self.films([details.movie.summary], marks: marks, language: language.first)
        let sections = try details.movie.sections(in: language).map { section throws(Problem) in
            try SectionObject(section, of: PictureID(details.galleryID), in: language, self.pictures)
        }
        return MovieObject(
            details, film: films[0],
            collection: try details.movie.collection.map { collection throws(Problem) in
                try CollectionReferenceObject(collection, self.pictures)
            }, regionalRelease: region.flatMap { details.movie.release(in: $0) }.map(ReleaseObject.init),
            sections: sections)
    }

    /// - Parameter language: The language of the posters.
    func object(
        _ boxOffice: BoxOffice, marks: FilmMarks, language: Language
    ) throws(Problem) -> BoxOfficeObject {
        let entries = try boxOffice.entries.map { entry throws(Problem) in
            BoxOfficeObject.Entry(
                entry,
                poster: try self.posters.poster(
                    of: entry.movieID, reference: entry.poster, language: language),
                marks: marks)
        }
        return BoxOfficeObject(
            boxOffice, isComplete: boxOffice.period.isOver(at: self.services.now()),
            days: self.useCases.showBoxOffice.days(beside: boxOffice), results: entries)
    }
}

// MARK: For the command line

extension MovieResponses {
    /// A result as a value, and as the JSON of the server's response.
    package struct Report<Value: Sendable>: Sendable {
        package let value: Value
        package let json: [UInt8]
        /// Notices that must be shown with the result.
        package let attribution: [String]

        fileprivate init(_ value: Value, _ object: some Encodable, of sources: [MovieSource]) throws {
            self.value = value
            self.json = try EncodedResponse.jsonBytes(of: object)
            self.attribution = Attribution.texts(of: sources) ?? []
        }
    }

    private var ownLanguage: LanguagePreference { LanguagePreference([self.services.defaultLanguage]) }

    package func search(_ query: MovieQuery, page: Int) async throws -> Report<Page<MovieSummary>> {
        let catalogue = self.services.catalogue
        let page = try await catalogue.search(query, page: page, language: self.ownLanguage)
        let films = try self.films(page.results, marks: .absent, language: self.services.defaultLanguage)
        let sources = [catalogue.source] + page.results.map(\.id.source)
        return try Report(
            page, PageObject(page, results: films, limit: catalogue.pageLimit, sources: sources), of: sources)
    }

    package func boxOffice(_ span: BoxOfficePeriod.Span?, date: CalendarDate?) async throws -> Report<BoxOffice> {
        let boxOffice = try await self.useCases.showBoxOffice(span, date: date, language: self.ownLanguage)
        return try Report(
            boxOffice, try self.object(boxOffice, marks: .absent, language: self.services.defaultLanguage),
            of: [boxOffice.source])
    }

    package func movie(_ id: MovieID) async throws -> Report<MovieDetails> {
        let details = try await self.services.showMovie(id, language: self.ownLanguage)
        let object = try self.object(
            details, marks: .absent, language: self.ownLanguage, region: self.services.defaultRegion)
        return try Report(details, object, of: details.sources)
    }
}
