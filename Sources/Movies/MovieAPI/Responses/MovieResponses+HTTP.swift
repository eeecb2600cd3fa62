import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

extension MovieResponses {
    /// Registers a resource with films: responses are shared and cached; the client's marks are added if requested.
    ///
    /// - Parameters:
    ///   - known: The query parameters besides `language` and `marks`.
    ///   - supplementLimit: Maximum number of supplement requests that a response starts; `nil` disables the limit.
    ///   - make: Cancelled when the client disconnects.
    func getFilms(
        _ path: RouterPath, known: [String] = [], supplementLimit: Int? = nil,
        on router: Router<ServerRequestContext>,
        _ make: @escaping @Sendable (MovieRequest) async throws -> EncodedResponse
    ) {
        router.get(path) { request, context in
            let parsed = try self.parse(request, context, known: known + [MovieRequest.marksParameter])
            let key = CacheKey(
                target: request.uri.string, languages: parsed.language, generation: self.pictures.generation)
            var response: EncodedResponse
            if let stored = self.cache.response(for: key) {
                response = stored
            } else {
                do {
                    response = try await self.marked(context, supplementLimit: supplementLimit) {
                        try await make(self.resolved(parsed))
                    }
                } catch {
                    self.cache.remove(key)
                    throw error
                }
                self.cache.insert(response, for: key)
            }
            if parsed.wantsMarks { response = try await self.personal(response, for: request, context) }
            return try response.response(to: request)
        }
    }

    /// A response with the client's marks in its slots.
    private func personal(
        _ shared: EncodedResponse, for request: Request, _ context: ServerRequestContext
    ) async throws -> EncodedResponse {
        let principal = try await self.useCases.authenticator.principal(of: request, context)
        let ids = shared.slots.map { MovieID($0.name) }
        var marks: [MovieID: Marks] = [:]
        if case .user(let session) = principal {
            marks = try await self.useCases.marks(of: ids.compactMap(\.self), for: session, context)
        }
        // Most films have the same text.
        let others = principal == .unknown ? Marks.unknown : .none
        let textOfOthers = FilmMarks.text(of: others)
        var response = shared.filled(
            with: ids.map { id in
                guard let own = id.flatMap({ marks[$0] }), own != others else { return textOfOthers }
                return FilmMarks.text(of: own)
            })
        response.challenge = principal.challenge
        return response
    }

    /// Registers a resource with a response for all clients, or only for the owner of a session.
    func get(
        _ path: RouterPath, known: [String] = [], on router: Router<ServerRequestContext>,
        _ make: @escaping @Sendable (MovieRequest) async throws -> EncodedResponse
    ) {
        router.get(path) { request, context in
            let parsed = try self.parse(request, context, known: known)
            return try await self.marked(context) { try await make(self.resolved(parsed)) }.response(to: request)
        }
    }

    /// Makes a response, and marks it with the freshness of its parts.
    private func marked(
        _ context: ServerRequestContext, supplementLimit: Int? = nil,
        _ make: @escaping @Sendable () async throws -> EncodedResponse
    ) async throws -> EncodedResponse {
        let recorder = FreshnessRecorder(supplementLimit: supplementLimit)
        var response = try await context.whileClientPresent {
            try await FreshnessRecorder.$current.withValue(recorder, operation: make)
        }
        response.mark(recorder, staleSeconds: CacheLifetime.stale)
        return response
    }

    /// Finds the film of a path with an IMDb title.
    private func resolved(_ parsed: MovieRequest) async throws -> MovieRequest {
        guard let title = parsed.imdbTitle, let find = self.services.findByIMDbTitle else { return parsed }
        guard let film = try await find(title) else {
            throw Problem(.unknownMovie, "no source has a film with the IMDb title \(title)")
        }
        var parsed = parsed
        parsed.film = film
        return parsed
    }

    func parse(
        _ request: Request, _ context: ServerRequestContext, known: [String] = []
    ) throws(Problem) -> MovieRequest {
        try MovieRequest(request, context, known: known, default: self.services.defaultLanguage)
    }

    /// - Parameters:
    ///   - limit: The last page that can be requested.
    ///   - source: The source of the list.
    func response(
        _ page: Page<MovieSummary>, limit: Int, source: MovieSource, _ parsed: MovieRequest
    ) throws -> EncodedResponse {
        let films = try self.films(page.results, marks: parsed.marks, language: parsed.language.first)
        self.reportListServed(page.results.map(\.id), of: parsed)
        return try self.response(
            page, results: films, limit: limit, sources: [source] + page.results.map(\.id.source),
            caching: .shared(seconds: CacheLifetime.list), variance: parsed.languages.variance, parsed)
    }

    /// A page with links to the other pages.
    func response<Original>(
        _ page: Page<Original>, results: [some Encodable & Sendable], limit: Int = QueryParameters.pageLimit,
        sources: [MovieSource], caching: EncodedResponse.CachePolicy, variance: EncodedResponse.Variance,
        _ parsed: MovieRequest
    ) throws -> EncodedResponse {
        let object = PageObject(page, results: results, limit: limit, sources: sources)
        let links = try parsed.links(page: object.page, totalPages: object.totalPages, self.useCases.publicURL)
        return try EncodedResponse.json(
            object, caching: caching, variance: variance, links: links, hasSlots: parsed.wantsMarks)
    }

    func response(
        _ body: some Encodable, caching: EncodedResponse.CachePolicy, _ parsed: MovieRequest
    ) throws -> EncodedResponse {
        try EncodedResponse.json(
            body, caching: caching, variance: parsed.languages.variance, hasSlots: parsed.wantsMarks)
    }

    func details(of id: MovieID, _ parsed: MovieRequest) async throws -> EncodedResponse {
        let details = try await self.services.showMovie(id, language: parsed.language)
        let object = try self.object(
            details, marks: parsed.marks, language: parsed.language,
            region: try self.region(of: parsed))
        // Missing parts may be available a second later.
        if !details.missing.isEmpty { FreshnessRecorder.current?.recordGap() }
        return try self.response(object, caching: .shared(seconds: CacheLifetime.details), parsed)
    }

    /// The country of lists and releases: the client's, else the server's; `nil` leaves the choice to the source.
    func region(of parsed: MovieRequest) throws(Problem) -> Country? {
        try parsed.query.region() ?? self.services.defaultRegion
    }

    /// Reports the films of a list before it is sent, so that their posters can be rendered ahead.
    func reportListServed(_ films: [MovieID], of parsed: MovieRequest) {
        if !films.isEmpty { self.services.listServed?(films, parsed.language.first, parsed.path, parsed.client) }
    }
}
