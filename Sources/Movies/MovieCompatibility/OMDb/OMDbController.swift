import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import Logging
import MovieDomain
import MovieHTTP

/// `/compat/omdb/?i=…`, `t=…` and `s=…`: films in OMDb's format, in English.
struct OMDbController: Sendable {
    private static let mediaType = "application/json; charset=utf-8"
    private static let caching = EncodedResponse.CachePolicy.shared(seconds: CacheLifetime.details, stale: 0)
    private static let language = LanguagePreference([.english])

    private let context: CompatibilityContext
    private let numbers: TMDBNumberTable

    init(_ context: CompatibilityContext) {
        self.context = context
        self.numbers = TMDBNumberTable(context.services)
    }

    func register(on router: Router<ServerRequestContext>) {
        router.get(RouterPath(CompatibleAPI.omdb.base), use: self.found)
        UnknownPaths.register(of: .omdb, on: router) { _, _ in self.response(of: .resource) }
    }

    @Sendable
    private func found(_ request: Request, context: ServerRequestContext) async throws -> Response {
        do {
            let parameters = try CompatibleRequest(request)
            guard self.context.keys.accepts(parameters["apikey"], of: .omdb) else {
                throw parameters["apikey"] == nil ? OMDbFault.noKey : OMDbFault.key
            }
            let wanted = try OMDbRequest(parameters)
            let documents = OMDbDocuments(
                posters: self.context.posters, absolute: { self.context.absolute($0, request, context) })
            return try await self.context.shared(request, context) {
                let (document, recorder) = try await self.context.recorded(context) {
                    try await self.document(wanted, parameters, documents)
                }
                return self.response(document, caching: Self.caching, recorder: recorder)
            }
        } catch let fault as OMDbFault {
            return self.response(of: fault)
        } catch is CompatibleRequest.Malformed {
            return self.response(of: .encoding)
        } catch is UnknownMovie {
            return self.response(of: .notFound(.movie))
        } catch let failure as SourceFailure {
            context.logger.notice(
                "A request to the OMDb-compatible API failed",
                metadata: ["movie.source": "\(failure.source.rawValue)", "error.type": "\(failure)"])
            let isBusy = if case .busy = failure { true } else { false }
            return self.response(
                of: isBusy ? .quota : .system, retryAfterSeconds: failure.problem.retryAfterSeconds)
        }
    }

    private func response(
        _ document: OrderedJSON, status: Int = 200, caching: EncodedResponse.CachePolicy = .none,
        recorder: FreshnessRecorder? = nil, retryAfterSeconds: Int? = nil
    ) -> Response {
        .compatible(
            document.bytes, type: Self.mediaType, status: .init(code: status), caching: caching, recorder: recorder,
            variance: self.context.variance(of: .omdb), fields: [.retryAfter: retryAfterSeconds.map { String($0) }])
    }

    private func response(of fault: OMDbFault, retryAfterSeconds: Int? = nil) -> Response {
        self.response(fault.document, status: fault.status, retryAfterSeconds: retryAfterSeconds)
    }
}

// MARK: Documents

extension OMDbController {
    private func document(
        _ wanted: OMDbRequest, _ parameters: CompatibleRequest, _ documents: OMDbDocuments
    ) async throws -> OrderedJSON {
        if let upstream = self.context.upstreams.omdb {
            guard let own = try await upstream.json(wanted.upstream(parameters), from: .omdb) else {
                throw wanted.fault(isOfUpstream: true)
            }
            return try documents.rewritten(own)
        }
        let fault = wanted.fault(isOfUpstream: false)
        guard (wanted.kind ?? .movie) == .movie else { throw fault }
        switch wanted.subject {
        case .id(let id):
            guard let film = try await self.film(title: id) else { throw fault }
            let movie = try await self.movie(film)
            return try documents.film(movie, id: id, hasFullPlot: wanted.hasFullPlot)
        case .title(let title):
            guard let film = try await self.film(named: title, year: wanted.year) else { throw fault }
            let movie = try await self.movie(film)
            return try documents.film(movie, id: TMDBNumber.title(of: movie) ?? "", hasFullPlot: wanted.hasFullPlot)
        case .search(let text): return try await self.results(text, wanted, documents)
        }
    }

    private func movie(_ id: MovieID) async throws -> Movie {
        try await self.context.services.showMovie(id, language: Self.language).movie
    }

    /// The film of an IMDb id, from The Movie Database if configured, else from the embedded catalogue's derived ids.
    private func film(title: String) async throws -> MovieID? {
        guard let upstream = self.context.upstreams.tmdb else { return try await self.numbers.film(title: title) }
        let resource = TMDBResource.find(title)
        let request = DocumentRequest(
            resource.path, query: [("external_source", "imdb_id")], lifetime: resource.lifetime)
        guard let document = try await upstream.json(request, from: .tmdb),
            let number = document["movie_results"]?.elements.first?["id"]?.integer
        else { return nil }
        return MovieID(source: .tmdb, key: String(number))
    }

    /// The film with this name, else the best match.
    private func film(named title: String, year: Int?) async throws -> MovieID? {
        guard let query = MovieQuery(title, year: year) else { return nil }
        let found = try await self.context.services.catalogue.search(query, page: 1, language: Self.language).results
        let name = query.text.lowercased()
        let exact = found.first { [$0.title.lowercased(), $0.originalTitle.lowercased()].contains(name) }
        return (exact ?? found.first)?.id
    }

    private func results(
        _ text: String, _ wanted: OMDbRequest, _ documents: OMDbDocuments
    ) async throws -> OrderedJSON {
        let size = OMDbRequest.pageSize
        let query = SearchMoviesByOffset.Query(
            text, start: (wanted.page - 1) * size + 1, display: size, years: wanted.year.map { $0...$0 })
        guard let query else { throw wanted.fault(isOfUpstream: false) }
        let found = try await SearchMoviesByOffset(catalogue: self.context.services.catalogue)(
            query, language: Self.language)
        var rows: [OrderedJSON] = []
        for (film, id) in try await self.titles(of: found.movies) { rows.append(try documents.row(film, id: id)) }
        guard !rows.isEmpty else { throw wanted.fault(isOfUpstream: false) }
        return OMDbDocuments.results(rows, total: found.total)
    }

    /// Films with their IMDb ids, which only films' details contain; omits films without one.
    private func titles(of films: [MovieSummary]) async throws -> [(film: MovieSummary, id: String)] {
        let titles = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
            for (place, film) in films.enumerated() {
                group.addTask { (place, try await self.title(of: film.id)) }
            }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        return films.enumerated().compactMap { place, film in titles[place].map { (film, $0) } }
    }

    private func title(of film: MovieID) async throws -> String? {
        if let derived = TMDBNumber.title(of: film) { return derived }
        let movie = try await self.context.services.sources.repository(of: film.source).movie(
            film, language: Self.language)
        return movie.flatMap { TMDBNumber.title(of: $0) }
    }
}
