import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import Logging
import MovieDomain
import MovieHTTP
import NIOCore

/// `GET /v1/search/movie.json`: Naver's search for films, which ended in 2023, answered from the service's own catalogue.
///
/// Always in Korean as far as there is any: the apps that were written for it know nothing else.
struct NaverController: Sendable {
    static let path = "/v1/search/movie.json"
    static let mediaType = "application/json; charset=UTF-8"
    /// Of a picture, in pixels.
    private static let imageWidth = 110
    private static let caching = EncodedResponse.CachePolicy.shared(seconds: CacheLifetime.list, stale: 0)

    private let responses: MovieResponses
    private let site: SiteOrigin

    init(_ responses: MovieResponses) {
        self.responses = responses
        self.site = responses.useCases.authenticator.site
    }

    func register(on router: Router<ServerRequestContext>) {
        router.get(RouterPath(Self.path), use: self.found)
    }

    private struct Found: Encodable {
        let lastBuildDate: String
        let total, start, display: Int
        let items: [Item]
    }

    private struct Item: Encodable {
        let title, link, image, subtitle, pubDate, director, actor, userRating: String
    }

    @Sendable
    private func found(_ request: Request, context: ServerRequestContext) async throws -> Response {
        do {
            let query = try NaverQuery(request.uri.string).query
            let recorder = FreshnessRecorder()
            let (films, total) = try await context.whileClientPresent {
                try await FreshnessRecorder.$current.withValue(recorder) { try await self.films(of: query) }
            }
            let items = try films.map { try self.item($0, query.movie.text, request, context) }
            let found = Found(
                lastBuildDate: NaverDate.text(self.responses.services.now()), total: total,
                start: query.start, display: items.count, items: items)
            let caching = Self.caching.limited(by: recorder, staleSeconds: CacheLifetime.stale)
            var response = try Self.response(found, caching: caching, [.vary: self.site.variance])
            if let staleness = recorder.staleness { response.headers.mark(staleness, age: recorder.age) }
            return response
        } catch let fault as NaverFault {
            return try Self.response(fault)
        } catch let failure as SourceFailure {
            context.logger.notice(
                "No films in Naver's format",
                metadata: ["movie.source": "\(failure.source.rawValue)", "error.type": "\(failure)"])
            return try Self.response(
                .system, [.retryAfter: failure.problem.retryAfterSeconds.map(String.init)])
        }
    }

    private func films(of query: SearchMoviesByOffset.Query) async throws -> (films: [MovieSummary], total: Int) {
        let services = self.responses.services
        let language = LanguagePreference([.korean])
        let results = try await SearchMoviesByOffset(catalogue: services.catalogue)(query, language: language)
        let films = try await CompleteNames(sources: services.sources)(results.movies, language: language)
        return (films, results.total)
    }

    private struct Fault: Encodable {
        let errorMessage, errorCode: String
    }

    private static func response(
        _ fault: NaverFault, _ fields: [HTTPField.Name: String?] = [:]
    ) throws -> Response {
        try Self.response(
            Fault(errorMessage: fault.message, errorCode: fault.code), .init(code: fault.status), caching: .none,
            fields)
    }

    private static func response(
        _ body: some Encodable, _ status: HTTPResponse.Status = .ok, caching: EncodedResponse.CachePolicy,
        _ fields: [HTTPField.Name: String?]
    ) throws -> Response {
        var headers: HTTPFields = [
            .contentType: Self.mediaType, .cacheControl: caching.fieldValue, .contentTypeOptions: "nosniff",
        ]
        headers.letScriptsRead()
        for (name, value) in fields { headers[name] = value }
        let json = try EncodedResponse.jsonBytes(of: body)
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }

    private func item(
        _ movie: MovieSummary, _ query: String, _ request: Request, _ context: ServerRequestContext
    ) throws(Problem) -> Item {
        let address = "/films/\(PercentEncoding.encode(movie.id.description.utf8))"
        let subtitle = movie.originalTitle == movie.title ? "" : HTMLText.escape(movie.originalTitle)
        return Item(
            title: NaverText.title(movie.title, query: query),
            link: self.site.absolute(self.responses.useCases.publicURL.address(of: address), for: request, context),
            image: try self.image(of: movie, request, context), subtitle: subtitle,
            pubDate: movie.year.map(String.init) ?? "", director: NaverText.names(movie.directors),
            actor: NaverText.names(movie.cast), userRating: Self.hundredths(movie.score?.average ?? 0))
    }

    private func image(
        of movie: MovieSummary, _ request: Request, _ context: ServerRequestContext
    ) throws(Problem) -> String {
        guard try self.responses.posters.poster(of: movie, language: .korean) != nil else { return "" }
        let url = try self.responses.pictures.picture(PictureID(movie.id, language: .korean), width: Self.imageWidth)
        return self.site.absolute(url, for: request, context)
    }

    /// `7.11`
    private static func hundredths(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
