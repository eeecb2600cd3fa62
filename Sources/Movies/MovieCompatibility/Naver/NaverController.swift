import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import Logging
import MovieDomain
import MovieHTTP

/// `GET /v1/search/movie.json`, and `/compat/naver/v1/search/movie.json` and `.xml`: Naver's film search, which ended
/// in 2023, served from this server's catalogue.
///
/// The results are in Korean wherever possible, as apps written for Naver expect.
struct NaverController: Sendable {
    private static let path = "/v1/search"
    /// The width of pictures, in pixels.
    private static let imageWidth = 110
    private static let caching = EncodedResponse.CachePolicy.shared(seconds: CacheLifetime.list, stale: 0)

    /// The formats of results, selected by the last segment of the path.
    private enum Format: String, CaseIterable {
        case json = "movie.json"
        case xml = "movie.xml"

        var mediaType: String {
            switch self {
            case .json: "application/json; charset=UTF-8"
            case .xml: "text/xml; charset=UTF-8"
            }
        }
    }

    private let context: CompatibilityContext

    init(_ context: CompatibilityContext) {
        self.context = context
    }

    /// The resource at Naver's own path, which ignores genres, countries and keys.
    func registerOriginal(on router: Router<ServerRequestContext>) {
        router.get(RouterPath("\(Self.path)/\(Format.json.rawValue)")) { request, context in
            try await self.response(to: request, context, .json, isOriginal: true)
        }
    }

    func register(on router: Router<ServerRequestContext>) {
        for format in Format.allCases {
            let path = "\(CompatibleAPI.naver.base)\(Self.path)/\(format.rawValue)"
            router.get(RouterPath(path)) { request, context in
                guard self.context.keys.accepts(Self.key(of: request), of: .naver) else {
                    return self.response(of: .authentication, format)
                }
                return try await self.response(to: request, context, format, isOriginal: false)
            }
        }
        UnknownPaths.register(of: .naver, on: router) { _, context in
            let isXML = context.target.segments.last?.hasSuffix(".xml") == true
            return self.response(of: .api, isXML ? .xml : .json)
        }
    }

    private static let idField = HTTPField.Name("X-Naver-Client-Id")
    private static let secretField = HTTPField.Name("X-Naver-Client-Secret")

    /// `ID:SECRET`; `nil` unless the request has both.
    private static func key(of request: Request) -> String? {
        guard let idField = Self.idField, let secretField = Self.secretField, let id = request.headers[idField],
            let secret = request.headers[secretField]
        else { return nil }
        return "\(id):\(secret)"
    }

    private func response(
        to request: Request, _ context: ServerRequestContext, _ format: Format, isOriginal: Bool
    ) async throws -> Response {
        do {
            let query = try NaverQuery(request.uri.string)
            return try await self.context.shared(request, context) {
                let (found, recorder) = try await self.context.recorded(context) {
                    try await self.films(of: query, filters: !isOriginal)
                }
                let items = try found.films.map { try self.item($0, query.query.movie.text, request, context) }
                let document = self.document(items, query.query, total: found.total)
                // The resource at Naver's own path sorts members by name, for compatibility with existing clients.
                let bytes = isOriginal ? document.sorted.bytes : self.bytes(of: document, query.query, format)
                return .compatible(
                    bytes, type: format.mediaType, caching: Self.caching, recorder: recorder,
                    variance: self.variance(isOriginal: isOriginal))
            }
        } catch let fault as NaverFault {
            return self.response(of: fault, format)
        } catch let failure as SourceFailure {
            context.logger.notice(
                "A request to the Naver-compatible API failed",
                metadata: ["movie.source": "\(failure.source.rawValue)", "error.type": "\(failure)"])
            let retry = failure.problem.retryAfterSeconds.map { String($0) }
            return self.response(of: .system, format, [.retryAfter: retry])
        }
    }

    /// Responses at Naver's own path do not depend on keys.
    private func variance(isOriginal: Bool) -> String? {
        let fields = isOriginal ? [] : [Self.idField, Self.secretField].compactMap { $0 }
        return self.context.variance(of: .naver, keyFields: fields)
    }

    private func films(
        of query: NaverQuery, filters: Bool
    ) async throws -> (films: [MovieSummary], total: Int) {
        let services = self.context.services
        let language = LanguagePreference([.korean])
        let results = try await SearchMoviesByOffset(catalogue: services.catalogue)(
            query.query, language: language, where: filters ? query.filter : nil)
        let films = try await CompleteNames(sources: services.sources)(results.movies, language: language)
        return (films, results.total)
    }

    private func document(
        _ items: [OrderedJSON], _ query: SearchMoviesByOffset.Query, total: Int
    ) -> OrderedJSON {
        let date = NaverDate.text(self.context.services.now())
        return [
            "lastBuildDate": .string(date), "total": .integer(total), "start": .integer(query.start),
            "display": .integer(items.count), "items": .array(items),
        ]
    }

    private func bytes(
        of document: OrderedJSON, _ query: SearchMoviesByOffset.Query, _ format: Format
    ) -> [UInt8] {
        switch format {
        case .json: document.bytes
        case .xml: NaverXML(query: query.movie.text).bytes(document)
        }
    }

    private func response(
        of fault: NaverFault, _ format: Format, _ fields: [HTTPField.Name: String?] = [:]
    ) -> Response {
        let document: OrderedJSON = [
            "errorMessage": .string(fault.message), "errorCode": .string(fault.code),
        ]
        let bytes = format == .json ? document.bytes : NaverXML.bytes(ofFault: document)
        return .compatible(
            bytes, type: format.mediaType, status: .init(code: fault.status), caching: .none,
            variance: self.context.variance(of: .naver), fields: fields)
    }

    private func item(
        _ movie: MovieSummary, _ query: String, _ request: Request, _ context: ServerRequestContext
    ) throws(Problem) -> OrderedJSON {
        let subtitle = movie.originalTitle == movie.title ? "" : HTMLText.escape(movie.originalTitle)
        let image = try self.image(of: movie, request, context)
        let texts: [(String, String)] = [
            ("title", NaverText.title(movie.title, query: query)),
            ("link", self.context.page(of: movie.id, request, context)), ("image", image), ("subtitle", subtitle),
            ("pubDate", movie.year.map { String($0) } ?? ""), ("director", NaverText.names(movie.directors)),
            ("actor", NaverText.names(movie.cast)), ("userRating", Self.hundredths(movie.score?.average ?? 0)),
        ]
        return .object(texts.map { OrderedJSON.Member($0.0, .string($0.1)) })
    }

    private func image(
        of movie: MovieSummary, _ request: Request, _ context: ServerRequestContext
    ) throws(Problem) -> String {
        guard try self.context.posters.poster(of: movie, language: .korean) != nil else { return "" }
        let url = try self.context.pictures.picture(PictureID(movie.id, language: .korean), width: Self.imageWidth)
        return self.context.absolute(url, request, context)
    }

    /// `7.11`
    private static func hundredths(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
