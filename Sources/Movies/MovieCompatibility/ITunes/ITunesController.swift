import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import Logging
import MovieDomain
import MovieHTTP

/// `/compat/itunes/search` and `/compat/itunes/lookup`: apps and films in the format of the iTunes Search API.
struct ITunesController: Sendable {
    private static let mediaType = "text/javascript; charset=utf-8"
    private static let start = "\n\n\n"
    private static let caching = EncodedResponse.CachePolicy.shared(seconds: CacheLifetime.details, stale: 0)
    /// Maximum number of catalogue pages read by a lookup.
    private static let filmPageLimit = 50

    private let context: CompatibilityContext

    init(_ context: CompatibilityContext) {
        self.context = context
    }

    func register(on router: Router<ServerRequestContext>) {
        router.get(RouterPath("\(CompatibleAPI.itunes.base)/search")) { request, context in
            try await self.response(to: request, context, upstream: "search") { parameters, rows in
                try await self.found(parameters, rows)
            }
        }
        router.get(RouterPath("\(CompatibleAPI.itunes.base)/lookup")) { request, context in
            try await self.response(to: request, context, upstream: "lookup") { parameters, rows in
                try await self.lookedUp(parameters, rows)
            }
        }
        router.get(RouterPath("\(ITunesPictures.path)/:id/:size")) { request, context in
            try self.picture(request, context)
        }
        UnknownPaths.register(of: .itunes, on: router) { _, _ in
            self.response(["errorMessage": "There is no resource at this path."], status: .notFound)
        }
    }

    /// How long caches may store the redirect to a picture, in seconds.
    private static let pictureSeconds = 86_400

    /// Redirects to a picture in the size given by the path's last segment.
    private func picture(_ request: Request, _ context: ServerRequestContext) throws -> Response {
        let segments = context.target.segments.suffix(2).map { PercentEncoding.decode($0) ?? "" }
        guard segments.count == 2,
            let location = try self.rows(request, context).pictures.location(name: segments[0], size: segments[1])
        else {
            return self.response(["errorMessage": "There is no picture with this id and size."], status: .notFound)
        }
        let caching = EncodedResponse.CachePolicy.shared(seconds: Self.pictureSeconds, stale: 0)
        var headers: HTTPFields = [.location: location, .cacheControl: caching.fieldValue]
        headers.letScriptsRead()
        return Response(status: .temporaryRedirect, headers: headers)
    }

    private func response(
        to request: Request, _ context: ServerRequestContext, upstream path: String,
        _ make: @escaping @Sendable (CompatibleRequest, ITunesRows) async throws -> [OrderedJSON]
    ) async throws -> Response {
        let rows = self.rows(request, context)
        do {
            let parameters = try CompatibleRequest(request)
            let wanted = try ITunesRequest(parameters)
            return try await self.context.shared(request, context) {
                let (document, recorder) = try await self.context.recorded(context) {
                    if let document = try await self.upstream(path, parameters, wanted, rows.pictures) {
                        return document
                    }
                    let results = try await make(parameters, rows)
                    return ["resultCount": .integer(results.count), "results": .array(results)] as OrderedJSON
                }
                return self.response(document, callback: wanted.callback, caching: Self.caching, recorder: recorder)
            }
        } catch let invalid as ITunesRequest.Invalid {
            return self.response(
                ["errorMessage": .string("Invalid value(s) for key(s): [\(invalid.parameter)]")], status: .badRequest)
        } catch is CompatibleRequest.Malformed {
            return self.response(["errorMessage": "The query is not percent-encoded."], status: .badRequest)
        } catch let failure as SourceFailure {
            context.logger.notice(
                "A request to the iTunes-compatible API failed",
                metadata: ["movie.source": "\(failure.source.rawValue)", "error.type": "\(failure)"])
            // Apple answers too many requests with 403.
            let isBusy = if case .busy = failure { true } else { false }
            return self.response(
                ["errorMessage": "The store cannot be reached."], status: isBusy ? .forbidden : .serviceUnavailable,
                retryAfter: failure.problem.retryAfterSeconds)
        }
    }

    private func response(
        _ document: OrderedJSON, status: HTTPResponse.Status = .ok, callback: String? = nil,
        caching: EncodedResponse.CachePolicy = .none, recorder: FreshnessRecorder? = nil, retryAfter: Int? = nil
    ) -> Response {
        var bytes = Array(Self.start.utf8)
        if let callback { bytes += "\(callback)(".utf8 }
        bytes += document.bytes
        if callback != nil { bytes += ");".utf8 }
        return .compatible(
            bytes, type: Self.mediaType, status: status, caching: caching, recorder: recorder,
            variance: self.context.variance(of: .itunes), fields: [.retryAfter: retryAfter.map { String($0) }])
    }

    private func rows(_ request: Request, _ context: ServerRequestContext) -> ITunesRows {
        let absolute: @Sendable (String) -> String = { self.context.absolute($0, request, context) }
        return ITunesRows(
            pictures: ITunesPictures(urls: self.context.pictures, absolute: absolute),
            page: { absolute(self.context.useCases.publicURL.address(of: $0)) })
    }

    /// The country of the store: the request's, else the server's, else the United States, as at Apple.
    private func country(of wanted: ITunesRequest) -> Country {
        wanted.country ?? self.context.services.defaultRegion ?? .unitedStates
    }

    /// Apple's document with this server's pictures; `nil` without a client of Apple's store.
    private func upstream(
        _ path: String, _ parameters: CompatibleRequest, _ wanted: ITunesRequest, _ pictures: ITunesPictures
    ) async throws -> OrderedJSON? {
        guard let upstream = self.context.upstreams.iTunes else { return nil }
        let request = wanted.upstream(path, parameters, country: self.country(of: wanted).code)
        return try await upstream.json(request, from: .itunes) { pictures.rewritten($0) }
            ?? ["resultCount": 0, "results": []]
    }
}

// MARK: Of the domain

extension ITunesController {
    private func language(of parameters: CompatibleRequest) -> LanguagePreference {
        let tag = parameters["lang"]?.split(separator: "_").first.map { String($0) }
        let country = parameters["country"].flatMap { Self.languages[$0.uppercased()] }
        return LanguagePreference([tag ?? country].compactMap { $0 }.compactMap { Language(tag: $0) })
    }

    /// The languages of stores other than English, by country.
    private static let languages = ["KR": "ko", "JP": "ja", "FR": "fr", "DE": "de", "ES": "es", "IT": "it", "CN": "zh"]

    private func found(_ parameters: CompatibleRequest, _ rows: ITunesRows) async throws -> [OrderedJSON] {
        let wanted = try ITunesRequest(parameters)
        guard let term = MovieQuery(parameters["term"] ?? "") else { return [] }
        let language = self.language(of: parameters)
        var results: [OrderedJSON] = []
        // Apps follow the films: an offset into the apps counts from the last film.
        var skipped = wanted.offset
        if wanted.kind == .movies || wanted.kind == .all {
            let (films, total) = try await self.films(term.text, wanted, language)
            let country = self.country(of: wanted)
            results += films.map { rows.row($0, in: country) }
            skipped = max(0, skipped - total)
        }
        let missing = wanted.limit - results.count
        if wanted.kind == .software || wanted.kind == .all, missing > 0 {
            let apps = try await self.context.services.store.search(
                term.text, offset: skipped, limit: missing, language: language
            ).apps
            results += apps.prefix(missing).map { rows.row($0) }
        }
        return results
    }

    /// The films of the requested range, read in blocks, and the number of films that can be returned.
    private func films(
        _ text: String, _ wanted: ITunesRequest, _ language: LanguagePreference
    ) async throws -> (films: [MovieSummary], total: Int) {
        let search = SearchMoviesByOffset(catalogue: self.context.services.catalogue)
        let (starts, displays) = (SearchMoviesByOffset.Query.starts, SearchMoviesByOffset.Query.displays)
        var films: [MovieSummary] = []
        var total = 0
        var start = wanted.offset + 1
        let end = start + wanted.limit
        repeat {
            // After the last start, only the total number is needed.
            let query = SearchMoviesByOffset.Query(
                text, start: min(start, starts.upperBound), display: min(end - start, displays.upperBound))
            guard let query else { break }
            let found = try await search(query, language: language)
            total = min(found.total, starts.upperBound)
            if starts.contains(start) { films += found.movies }
            start += query.display
        } while start < end && start <= total
        return (films, total)
    }

    private func lookedUp(_ parameters: CompatibleRequest, _ rows: ITunesRows) async throws -> [OrderedJSON] {
        let wanted = try ITunesRequest(parameters)
        let language = self.language(of: parameters)
        let services = self.context.services
        let numbers = ITunesRequest.ids(parameters)
        let bundles = (parameters["bundleId"] ?? "").split(separator: ",").prefix(ITunesRequest.idLimit)
        guard !numbers.isEmpty || !bundles.isEmpty else { return [] }
        var byNumber: [Int: OrderedJSON] = [:]
        var byBundle: [String: OrderedJSON] = [:]
        for id in services.store.ids {
            let (number, bundle) = (ITunesNumber.number(of: id), ITunesRows.bundleID(of: id))
            guard numbers.contains(number) || bundles.contains(bundle[...]),
                let app = try await services.store.app(id, language: language)
            else { continue }
            let row = rows.row(app)
            byNumber[number] = row
            byBundle[bundle] = row
        }
        if numbers.contains(where: { byNumber[$0] == nil }), services.catalogue.source == .embedded {
            for film in try await self.films(language) {
                let number = ITunesNumber.number(of: film.id)
                if numbers.contains(number) { byNumber[number] = rows.row(film, in: self.country(of: wanted)) }
            }
        }
        let found = numbers.compactMap { byNumber[$0] } + bundles.compactMap { byBundle[String($0)] }
        return Array(found.prefix(max(wanted.limit, numbers.count + bundles.count)))
    }

    /// All films of a small catalogue.
    private func films(_ language: LanguagePreference) async throws -> [MovieSummary] {
        var films: [MovieSummary] = []
        for page in 1...Self.filmPageLimit {
            let found = try await self.context.services.catalogue.list(
                .popular, page: page, language: language, region: nil)
            films += found.results
            guard page < found.totalPages else { break }
        }
        return films
    }
}
