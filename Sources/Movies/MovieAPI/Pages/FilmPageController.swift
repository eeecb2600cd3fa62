import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /films/{id}`: redirects a film's page to its details. Sends no request to a source.
struct FilmPageController: Sendable {
    /// The redirection's lifetime in caches.
    private static let caching = EncodedResponse.CachePolicy.shared(seconds: 300, stale: 0)

    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        router.get("/films/:id", use: self.redirection)
    }

    @Sendable
    private func redirection(_ request: Request, context: ServerRequestContext) throws(Problem) -> Response {
        let parsed = try self.responses.parse(request, context)
        var target = "/movies/\(PercentEncoding.encode(try parsed.movieID().description.utf8))"
        if let language = parsed.query[RequestedLanguages.parameter] {
            target += "?\(RequestedLanguages.parameter)=\(PercentEncoding.encode(language.utf8))"
        }
        var headers: HTTPFields = [
            .location: self.responses.useCases.publicURL.address(of: target), .cacheControl: Self.caching.fieldValue,
            .contentTypeOptions: "nosniff",
        ]
        headers.letScriptsRead()
        return Response(status: .seeOther, headers: headers)
    }
}
