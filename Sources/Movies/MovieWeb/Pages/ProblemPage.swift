import BoundedCache
import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

/// Problems as pages: what happened, in the reader's language, and ways on from there.
struct ProblemPage: ProblemPages {
    /// What an answer to a client that asks too often depends on.
    private struct RefusalKey: Hashable, Sendable {
        let language: Language
        let explicitLanguage: Language?
        let retryAfterSeconds: Int?
        /// The beginning of `Accept-Encoding`.
        let codings: String
    }

    /// What the paths of resources for programs and of pictures begin with.
    static let programs: Set<String> = [
        "_next", "account", "apps", "assets", "auth", "box-office", "collections", "compat", "favourites", "genres",
        "healthz", "me", "metrics", "movies", "openapi.json", "people", "poster", "proxy", "purge", "readyz", "t", "v1",
        "watchlist",
    ]
    /// Those of pages that begin with the same.
    private static let shared: Set<[Substring]> = [["box-office"]]
    private static let refusalLimit = 64
    /// In characters.
    private static let codingsLength = 64

    private let site: Website
    /// Whoever asks too often is to cost little.
    private let refusals = BoundedCache<RefusalKey, EncodedResponse>(countLimit: Self.refusalLimit)

    init(_ site: Website) {
        self.site = site
    }

    /// Whether people look at what is at an address.
    static func isForPeople(_ target: RequestTarget) -> Bool {
        guard let first = target.segments.first else { return true }
        return !Self.programs.contains(String(first)) || Self.shared.contains(target.segments)
    }

    func page(
        for problem: Problem, causedBy cause: (any ProblemConvertible)?, _ request: Request, requestID: String
    ) -> Response? {
        let target = RequestTarget(request.uri.string)
        guard Self.isForPeople(target), let parsed = self.parsed(target, request.headers) else { return nil }
        let page =
            problem.kind == .tooManyRequests
            ? self.refusal(problem, parsed, request)
            : self.encoded(
                ProblemWords(problem, cause, requestID: requestID, parsed.formats), in: parsed,
                // What a form has sent is not sent again by following a link.
                mayRetry: request.method != .post, films: self.site.popular.films(in: parsed.interface)
            ).compressed(for: request)
        // Conditions are about successes: none can fail.
        return try? page.response(to: request, status: HTTPResponse.Status(code: problem.kind.status))
    }

    /// The same for all addresses, and kept.
    private func refusal(_ problem: Problem, _ parsed: PageRequest, _ request: Request) -> EncodedResponse {
        let key = RefusalKey(
            language: parsed.interface, explicitLanguage: parsed.explicitLanguage,
            retryAfterSeconds: problem.retryAfterSeconds,
            codings: String(request.headers.combined(.acceptEncoding)?.prefix(Self.codingsLength) ?? ""))
        if let known = self.refusals.value(for: key) { return known }
        let home = self.parsed(RequestTarget(parsed.links.home), request.headers) ?? parsed
        let page = self.encoded(
            ProblemWords(problem, nil, requestID: "", home.formats), in: home, mayRetry: true
        ).compressed(for: request)
        self.refusals.insert(page, for: key)
        return page
    }

    /// - Parameter films: That stand below; of those whose posters have no URLs, none.
    private func encoded(
        _ words: ProblemWords, in request: PageRequest, mayRetry: Bool, films: [MovieSummary] = []
    ) -> EncodedResponse {
        var paint = PagePaint()
        let row = FilmRow(
            id: "popular", heading: request.formats("listPopular"), allURL: request.links.list(.popular))
        let cards: Markup
        do throws(Problem) {
            cards = try row.markup(films, in: request, paint: &paint)
        } catch {
            cards = .empty
        }
        var page = Page(
            title: words.heading,
            main: request.render(
                "problem",
                [
                    "heading": words.heading, "text": words.text, "detail": words.detail,
                    "mayRetry": words.isPassing && mayRetry, "homeURL": request.links.home,
                    "explicitLanguage": request.explicitLanguage?.code, "rowsHTML": cards,
                ]), paint: paint)
        page.sources = films.map(\.id.source)
        page.hasSearch = true
        page.caching = EncodedResponse.CachePolicy.none
        return Layout(page, request).response(lifetime: 0)
    }

    /// The request for the page; what is wrong with its address is left out.
    private func parsed(_ target: RequestTarget, _ headers: HTTPFields) -> PageRequest? {
        for text in [target.text, String(target.path), "/"] {
            do throws(Problem) {
                return try PageRequest(target: RequestTarget(text), headers: headers, client: "", site: self.site)
            } catch {
                continue
            }
        }
        return nil
    }
}

extension ProblemWords {
    fileprivate init(
        _ problem: Problem, _ cause: (any ProblemConvertible)?, requestID: String, _ texts: PageFormats
    ) {
        var limit: Int?
        if case .tooMany(let most)? = cause as? AddFavourite.Failure { limit = most }
        let source = (cause as? SourceFailure)?.source ?? (cause as? SessionSourceDisabled)?.source
        self.init(problem, source: source, limit: limit, requestID: requestID, texts)
    }
}
