import BoundedCache
import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

/// Problems as pages: explains the problem in the reader's language, and links to other pages.
struct ProblemPage: ProblemPages {
    private struct RefusalKey: Hashable, Sendable {
        let language: Language
        let explicitLanguage: Language?
        let retryAfterSeconds: Int?
        /// The first ``codingsLength`` characters of `Accept-Encoding`.
        let codings: String
    }

    /// The first segments of the paths of APIs and pictures.
    static let programs: Set<String> = [
        "_next", "account", "apps", "assets", "auth", "box-office", "collections", "compat", "favourites", "genres",
        "healthz", "me", "metrics", "movies", "openapi.json", "people", "poster", "proxy", "purge", "readyz", "t", "v1",
        "watchlist",
    ]
    /// Paths of pages that begin with one of ``programs``.
    private static let shared: Set<[Substring]> = [["box-office"]]
    private static let refusalLimit = 64
    /// In characters.
    private static let codingsLength = 64

    private let site: Website
    /// Refusals are cached, so that clients that exceed the rate limit cost little.
    private let refusals = BoundedCache<RefusalKey, EncodedResponse>(countLimit: Self.refusalLimit)

    init(_ site: Website) {
        self.site = site
    }

    /// Whether an address belongs to a page rather than to an API or a picture.
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
                // A link cannot repeat the submission of a form.
                mayRetry: request.method != .post, target: request.method == .post ? nil : target,
                films: self.site.popular.films(in: parsed.interface)
            ).compressed(for: request)
        // Conditions apply only to successful responses, so this cannot fail.
        return try? page.response(to: request, status: HTTPResponse.Status(code: problem.kind.status))
    }

    /// The cached page for too many requests, which is the same for all addresses.
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

    /// - Parameters:
    ///   - target: The requested one; `nil` for a page about any target.
    ///   - films: Shown below the problem; omitted if their posters' URLs cannot be signed.
    private func encoded(
        _ words: ProblemWords, in request: PageRequest, mayRetry: Bool, target: RequestTarget? = nil,
        films: [MovieSummary] = []
    ) -> EncodedResponse {
        var paint = PagePaint()
        let row = FilmRow(
            id: "popular", heading: request.formats("listPopular"), allURL: request.links.list(.popular))
        let cards: Markup
        do throws(Problem) {
            // Without buttons: the visitor's session is unknown here.
            cards = row.markup(
                try FilmCard.list(
                    films.map { FilmCard($0, marks: []) }, in: request, role: .rail, paint: &paint), in: request)
        } catch {
            cards = .empty
        }
        var without: Model?
        if let words = words.parameter, let target, let url = Self.address(of: target, without: words.name) {
            without = ["url": url, "text": words.linkText]
        }
        var page = Page(
            title: words.heading,
            main: request.render(
                "problem",
                [
                    "heading": words.heading, "text": words.text, "detail": words.detail,
                    "mayRetry": words.isPassing && mayRetry, "homeURL": request.links.home,
                    "without": without, "explicitLanguage": request.explicitLanguage?.code, "rowsHTML": cards,
                ]), paint: paint)
        page.sources = films.map(\.id.source)
        page.hasSearch = true
        page.caching = EncodedResponse.CachePolicy.none
        return Layout(page, request).response(lifetime: 0)
    }

    /// The address with the page's other parameters; `nil` if it is no path of this site.
    private static func address(of target: RequestTarget, without name: String) -> String? {
        let given = (try? target.parameters(plusIsSpace: true)) ?? []
        let rest = given.filter { $0.name != name && ParameterWords.isKnown($0.name) }
        let url = PageLinks(language: nil).url(String(target.path), rest.map { ($0.name, $0.value) })
        return ReturnPath(url)?.description
    }

    /// The request for the page; ignores invalid parts of its address.
    private func parsed(_ target: RequestTarget, _ headers: HTTPFields) -> PageRequest? {
        // Links to the path of `//other.example/` would lead to another site.
        let isOfThisSite = ReturnPath(String(target.path)) != nil
        for text in isOfThisSite ? [target.text, String(target.path), "/"] : ["/"] {
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
