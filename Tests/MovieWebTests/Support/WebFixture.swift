import HTTPTypes
import Hummingbird
import Logging
import MovieHTTP
import MovieTesting
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HTTPSemantics
@testable import HTTPServer
@testable import MovieDomain
@testable import MovieWeb

/// A website with scripted services, requested without a network.
struct WebFixture: Sendable {
    let movies = ScriptedMovies()
    let catalogue = ScriptedCatalogue()
    let boxOffice = ScriptedBoxOffice()
    let accounts: ScriptedAccounts
    let sessions = MemorySessions()
    let favourites = MemoryFavourites()
    let watchlist = MemoryFavourites()
    let day = ManualTimeOfDay(1_700_000_000)
    var services: MovieServices
    var publicURL: PublicURL?
    var pictures = NamedPictures()
    var administration: (service: any SiteAdministration, token: AdminToken)?

    /// - Parameter films: Names such as `heat-1995`; these films can be rated.
    init(films: [String] = ["heat-1995"], isTemporary: Bool = false, source: MovieSource = .embedded) throws {
        let ids = try films.map { try #require(MovieID($0)) }
        self.accounts = ScriptedAccounts(source: source, isTemporary: isTemporary, known: ids)
        self.services = MovieServices(
            sources: MovieRepositories([self.movies]), catalogue: self.catalogue, boxOffice: self.boxOffice,
            store: UnusedStore(), accounts: self.accounts, sessions: self.sessions, favourites: self.favourites,
            watchlist: self.watchlist,
            userData: MemoryUserData(
                sessions: self.sessions, favourites: self.favourites, watchlist: self.watchlist), now: self.day.now)
        for id in ids { try self.add(id, title: "Title of \(id.key)") }
    }

    func add(_ id: MovieID, title: String, original: String = "") throws {
        let summary = try #require(MovieSummary(id: id, title: title, originalTitle: original))
        self.movies.add(Movie(summary: summary))
    }

    struct Answer: Sendable {
        let status: Int
        let headers: HTTPFields
        let text: String

        /// The cookies that the response sets by name, with their attributes.
        var cookies: [String: String] {
            Dictionary(
                self.headers[values: .setCookie].map { field in
                    let parts = field.split(separator: "=", maxSplits: 1)
                    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
                }, uniquingKeysWith: { $1 })
        }

        /// The value of the first form field with this name.
        func field(_ name: String) -> String? {
            guard let start = self.text.firstRange(of: "name=\"\(name)\" value=\"") else { return nil }
            return String(self.text[start.upperBound...].prefix { $0 != "\"" })
        }
    }

    private typealias Responder = any HTTPResponder<ServerRequestContext>
    private final class Built: Sendable {
        let responder = Mutex<Responder?>(nil)
    }
    private let built = Built()

    /// The website's routes with only the middleware for problems; created at the first request.
    private func responder() throws -> any HTTPResponder<ServerRequestContext> {
        try self.built.responder.withLock { built in
            if let built { return built }
            let router = Router(context: ServerRequestContext.self)
            var website = MovieWebsite(
                self.services, pictures: self.pictures, publicURL: self.publicURL, files: try WebFiles.ofProgram.get())
            website.administration = self.administration
            router.add(middleware: ResponseMiddleware(methods: MethodTable(), pages: website.problems))
            website.register(on: router)
            let responder = router.buildResponder()
            built = responder
            return responder
        }
    }

    /// - Parameter headers: Fields other than `Host`.
    func ask(
        _ method: HTTPRequest.Method, _ target: String, headers: HTTPFields = [:], body: String = ""
    ) async throws -> Answer {
        let head = HTTPRequest(
            method: method, scheme: nil, authority: "films.test", path: target, headerFields: headers)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
        let channel = NIOAsyncTestingChannel()
        // A disconnected client would get no response.
        try await channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 5))
        let context = ServerRequestContext(
            request, channel: channel, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let response = try await self.responder().respond(to: request, context: context)
        return Answer(
            status: response.status.code, headers: response.headers,
            text: String(buffer: try await response.body.collected()))
    }

    /// Sends a form as a browser does.
    func send(
        _ target: String, _ fields: KeyValuePairs<String, String>, cookie: String? = nil, headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        if headers[.fetchSite] == nil, headers[.origin] == nil { headers[.fetchSite] = "same-origin" }
        headers[.contentType] = "application/x-www-form-urlencoded"
        headers[.cookie] = cookie
        let body = fields.map { "\($0.key)=\(PercentEncoding.encode($0.value.utf8))" }.joined(separator: "&")
        return try await self.ask(.post, target, headers: headers, body: body)
    }

    // MARK: Sessions

    private func keep(_ owner: Owner, _ upstream: UpstreamSession?) async throws -> (
        AuthenticatedSession, cookie: String
    ) {
        let session = Session(
            owner: owner, upstream: upstream, expiresAt: Instant(secondsSince1970: 1_700_000_000 + 86_400))
        let token = AccessToken()
        try await self.sessions.keep(session, under: token)
        return (AuthenticatedSession(token: token, session: session), "onesheet_session=\(token.text)")
    }

    /// A session of an account and its cookie.
    func signIn() async throws -> (session: AuthenticatedSession, cookie: String) {
        let upstream = UpstreamSession(source: self.accounts.source, secret: "s", accountID: "7")
        let (session, cookie) = try await self.keep(.account(self.accounts.source, id: "7"), upstream)
        return (session, cookie)
    }

    /// A session of a device and its cookie.
    func device() async throws -> (session: AuthenticatedSession, cookie: String) {
        let (session, cookie) = try await self.keep(.device(id: "d"), nil)
        return (session, cookie)
    }

    func token(of session: AuthenticatedSession) -> String {
        FormTokens(key: self.services.formTokenKey).token(for: session)
    }
}

/// Picture URLs that contain the film's id.
struct NamedPictures: PictureURLs {
    var generation: UInt64 { 1 }
    var acceptedHints: String? { nil }
    var badgeChoices = BadgeChoices.scripted()

    private func object(
        _ name: String, _ size: (width: Int, height: Int)?, _ badges: PictureBadges? = nil
    ) -> PosterObject {
        let url = "/poster/\(name)?w=240\(badges?.query ?? "")"
        return PosterObject(url: url, srcset: "\(url) 240w", width: size?.width, height: size?.height)
    }

    func poster(
        _ id: PictureID, size: (width: Int, height: Int)?, widths: PictureWidths, badges: PictureBadges?,
        isMissing: @autoclosure () -> Bool
    ) throws(Problem) -> PosterObject? {
        isMissing() ? nil : self.object("\(id.source):\(id.key)", size, badges)
    }

    func picture(_ id: PictureID, width: Int, badges: PictureBadges?) throws(Problem) -> String {
        "/poster/\(id.source):\(id.key)?w=\(width)\(badges?.query ?? "")"
    }

    func picture(
        _ id: PictureID, size: (width: Int, height: Int)?, width: Int, widths: PictureWidths
    ) throws(Problem) -> PosterObject {
        self.object("\(id.source):\(id.key)", size)
    }

    func tmdbImage(
        _ file: String, size: (width: Int, height: Int)?, width: Int, widest: Int, widths: PictureWidths
    ) throws(Problem) -> PosterObject? {
        self.object(file, size)
    }

    func videoThumbnail(_ key: String) throws(Problem) -> PosterObject? { self.object(key, nil) }
}
