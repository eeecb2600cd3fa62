import Flights
import MovieDomain
import MovieLibrary
import MovieTesting
import PosterTesting

@testable import MovieLibraryPostgres

extension PostgresConnection {
    convenience init(url: String) throws {
        try self.init(
            url: url, statementMilliseconds: 30_000, deadline: Uptime.nanoseconds() + 30_000_000_000)
    }
}

/// A database with libraries of several nodes.
struct PostgresFixture {
    let server: PostgresServer
    let database: String
    let log = LogRecorder()

    /// - Parameter server: `nil` for the shared server.
    init(_ server: PostgresServer? = nil) async throws {
        let server = if let server { server } else { try await PostgresServer.common() }
        self.server = server
        self.database = try await server.database()
    }

    var url: String { self.server.url(self.database) }

    func node(_ limits: PostgresLimits = Self.patient, url: String? = nil) -> PostgresLibrary {
        PostgresLibrary(
            url: url ?? self.url, limits: limits, logger: self.log.logger(), metrics: PostgresMetrics())
    }

    /// Long timeouts for machines that are slow because of other tests.
    static let patient = {
        var limits = PostgresLimits()
        (limits.connectMilliseconds, limits.statementMilliseconds) = (30_000, 30_000)
        (limits.callMilliseconds, limits.patienceMilliseconds) = (30_000, 30_000)
        limits.shortPatienceMilliseconds = 30_000
        return limits
    }()

    func count(_ table: String) async throws -> Int? {
        Int(try await self.server.execute("SELECT count(*) FROM \(table)", in: self.database))
    }

    func execute(_ sql: String) async throws {
        try await self.server.execute(sql, in: self.database)
    }
}

extension Favourite {
    /// The favourite `film-1`, `film-2` and so on by its number.
    static func numbered(_ number: Int) -> Favourite {
        Favourite(movie: .whole(MovieID("film-\(number)")!), addedAt: Instant(secondsSince1970: Int64(number)))
    }
}
