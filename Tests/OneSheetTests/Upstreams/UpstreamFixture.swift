import Foundation
import GRDB
import MovieDomain
import PosterTesting
import Testing

/// The service with keys for all sources, all at one upstream: below `/tmdb`, `/kobis` and so on; TMDB's pictures are
/// below `/images`.
struct UpstreamFixture {
    /// Distinct keys, which tests look for in output that must not contain them.
    static let keys: [MovieSource: String] = [
        .tmdb: "key-0f1e-of-tmdb", .kobis: "key-2d3c-of-kobis", .kmdb: "key-4b5a-of-kmdb", .kakao: "key-6978-of-kakao",
        .omdb: "key-8796-of-omdb", .mdblist: "key-a5b4-of-mdblist",
    ]
    /// No retries, and no pause of an upstream after failures.
    static let impatience = ["--fetch-retries", "0", "--breaker-failures", "1000"]
    /// Responses wait for their supplements, however slow the machine is.
    static let wholeness = ["--supplement-timeout", "60"]
    /// No fetch times out because of a slow machine.
    static let patience = ["--fetch-timeout", "600", "--fetch-low-speed-time", "600"]

    let upstream: ReplayingUpstream
    let server: InProcessServer
    let data: String

    var app: AppClient { AppClient(server: self.server) }

    /// Runs the service during `body`.
    ///
    /// - Parameters:
    ///   - data: The data directory.
    ///   - sources: The enabled sources.
    ///   - arguments: If they include `--allow-private-origin…`, no other private addresses are allowed.
    static func run(
        _ upstream: ReplayingUpstream, data: String, sources: Set<MovieSource> = Set(MovieSource.allCases),
        _ arguments: [String] = [], _ body: (UpstreamFixture) async throws -> Void
    ) async throws {
        var options = self.options(upstream, sources) + self.impatience + self.patience
        if !arguments.contains(where: { $0.hasPrefix("--allow-private-origin") }) {
            options.append("--allow-private-origins")
        }
        if !arguments.contains("--language") { options += ["--language", "ko"] }
        if !arguments.contains("--supplement-timeout") { options += self.wholeness }
        let server = try await InProcessServer(dataDirectory: data, options + arguments)
        do {
            try await body(UpstreamFixture(upstream: upstream, server: server, data: data))
        } catch {
            await server.kill()
            throw error
        }
        #expect(await server.stop() == 0)
    }

    private static func options(_ upstream: ReplayingUpstream, _ sources: Set<MovieSource>) -> [String] {
        var options = ["--tmdb-images", "\(upstream.baseURL)/images/{key}"]
        for source in sources where source != .embedded {
            options += ["--source-url", "\(source.rawValue)=\(upstream.baseURL)/\(source.rawValue)"]
            if let key = self.keys[source] { options += ["--\(source.rawValue)-key", key] }
        }
        return options + (sources.contains(.itunes) ? ["--itunes-country", "KR"] : [])
    }

    /// Requests received below a source's path.
    func requests(of source: MovieSource) -> [OriginRequest] {
        self.upstream.requests.filter { $0.path.hasPrefix("/\(source.rawValue)/") }
    }
}

/// The cached responses of a stopped service.
struct StoredResponses {
    private let path: String

    init(in data: String) {
        self.path = data + "/answers.sqlite"
    }

    /// Makes all of them stale, but none too old to be served.
    func age() throws {
        try self.execute("UPDATE answer SET freshUntil = keptAt - 1")
    }

    /// Sets the number of requests sent today, by the date in Korea.
    func spend(_ requests: Int, of source: MovieSource) throws {
        let now = Instant(secondsSince1970: Int64(Date().timeIntervalSince1970))
        let day = now.date(secondsFromGreenwich: 9 * 3600).dayNumber
        try self.execute("INSERT OR REPLACE INTO spent VALUES ('\(source.rawValue)', \(day), \(requests))")
    }

    private func execute(_ sql: String) throws {
        let database = try DatabaseQueue(path: self.path)
        try database.write { db in
            try db.execute(sql: sql)
            #expect(db.changesCount > 0)
        }
        try database.close()
    }
}
