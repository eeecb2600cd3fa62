import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import Logging
import MovieDomain
import MovieHTTP

/// `/compat/kakao/v2/search/image`: posters in the format of Kakao's image search.
struct KakaoController: Sendable {
    private static let mediaType = "application/json;charset=UTF-8"
    private static let caching = EncodedResponse.CachePolicy.shared(seconds: CacheLifetime.list, stale: 0)
    private static let scheme = "KakaoAK "

    private let context: CompatibilityContext

    init(_ context: CompatibilityContext) {
        self.context = context
    }

    func register(on router: Router<ServerRequestContext>) {
        router.get(RouterPath("\(CompatibleAPI.kakao.base)/v2/search/image"), use: self.found)
        UnknownPaths.register(of: .kakao, on: router) { _, _ in
            self.response(KakaoFault.resource.document, status: .init(code: KakaoFault.resource.status))
        }
    }

    @Sendable
    private func found(_ request: Request, context: ServerRequestContext) async throws -> Response {
        do {
            try self.checkKey(of: request)
            let parameters: CompatibleRequest
            do throws(CompatibleRequest.Malformed) {
                parameters = try CompatibleRequest(request)
            } catch {
                throw KakaoFault.invalid("query is not percent-encoded")
            }
            let wanted = try KakaoRequest(parameters)
            let documents = self.documents(request, context)
            return try await self.context.shared(request, context) {
                let (document, recorder) = try await self.context.recorded(context) {
                    try await self.document(wanted, documents)
                }
                return self.response(document, caching: Self.caching, recorder: recorder)
            }
        } catch let fault as KakaoFault {
            return self.response(fault.document, status: .init(code: fault.status))
        } catch let failure as SourceFailure {
            context.logger.notice(
                "A request to the Kakao-compatible API failed",
                metadata: ["movie.source": "\(failure.source.rawValue)", "error.type": "\(failure)"])
            var fault = KakaoFault.system
            if case .busy = failure { fault = .quota }
            let retry = failure.problem.retryAfterSeconds.map { String($0) }
            return self.response(
                fault.document, status: .init(code: fault.status), fields: [.retryAfter: retry])
        }
    }

    private func checkKey(of request: Request) throws(KakaoFault) {
        let credentials = request.headers[.authorization]
        let key = credentials.flatMap { text in
            text.hasPrefix(Self.scheme) ? String(text.dropFirst(Self.scheme.count)) : nil
        }
        guard !self.context.keys.accepts(key, of: .kakao) else { return }
        throw key == nil ? KakaoFault.unauthorized : KakaoFault.key
    }

    private func documents(_ request: Request, _ context: ServerRequestContext) -> KakaoDocuments {
        KakaoDocuments(
            posters: self.context.posters, absolute: { self.context.absolute($0, request, context) },
            page: { self.context.page(of: $0, request, context) },
            today: self.context.services.now().dateInSeoul)
    }

    private func document(_ wanted: KakaoRequest, _ documents: KakaoDocuments) async throws -> OrderedJSON {
        if let upstream = self.context.upstreams.kakao {
            return try await upstream.json(wanted.upstream, from: .kakao) { documents.rewritten($0) }
                ?? KakaoDocuments.envelope([], total: 0, isEnd: true)
        }
        let start = (wanted.page - 1) * wanted.size + 1
        guard
            let query = SearchMoviesByOffset.Query(wanted.title, start: start, display: wanted.size)
        else { return KakaoDocuments.envelope([], total: 0, isEnd: true) }
        let search = SearchMoviesByOffset(catalogue: self.context.services.catalogue)
        let found = try await search(query, language: LanguagePreference([.korean]))
        var films = found.movies
        if wanted.sort == .recency {
            let day = { (film: MovieSummary) in film.releaseDate?.dayNumber ?? .min }
            films.sort { day($0) > day($1) }
        }
        var rows: [OrderedJSON] = []
        for film in films {
            if let row = try documents.document(film, language: .korean) { rows.append(row) }
        }
        return KakaoDocuments.envelope(
            rows, total: found.total, isEnd: start + wanted.size > found.total)
    }

    private func response(
        _ document: OrderedJSON, status: HTTPResponse.Status = .ok, caching: EncodedResponse.CachePolicy = .none,
        recorder: FreshnessRecorder? = nil, fields: [HTTPField.Name: String?] = [:]
    ) -> Response {
        .compatible(
            document.bytes, type: Self.mediaType, status: status, caching: caching, recorder: recorder,
            variance: self.context.variance(of: .kakao, keyFields: [.authorization]), fields: fields)
    }
}
