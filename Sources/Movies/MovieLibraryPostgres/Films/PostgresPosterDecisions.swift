import FoundationEssentials
import Logging
package import MovieDomain
import MovieLibrary

/// Decisions about posters in PostgreSQL, shared by all nodes. As with `SQLitePosterDecisions`, faults do not fail
/// requests: an unreadable decision counts as missing, and a decision that cannot be written is made again.
package final class PostgresPosterDecisions: PosterDecisionRepository {
    /// Maximum number of decisions, some 2 KB each; the oldest are evicted.
    package static let defaultLimit = 1_000_000

    private let library: PostgresLibrary
    private let limit: Int
    private let counting = CountingInterval()

    package init(_ library: PostgresLibrary, limit: Int = PostgresPosterDecisions.defaultLimit) {
        self.library = library
        self.limit = max(1, limit)
    }

    package func decision(for id: MovieID, at now: Instant) async throws -> PosterDecision? {
        let text = try await self.attempt {
            try await self.library.read(.supplementary) { connection in
                try connection.execute(
                    "SELECT decision FROM poster_decision WHERE film = $1 AND expires_at > $2",
                    [.text(id.description), .integer(now.secondsSince1970)]
                ).rows.first?.text(0)
            }
        }
        guard let text = text ?? nil else { return nil }
        do {
            return try JSONDecoder().decode(PosterDecisionRecord.self, from: Data(text.utf8)).decision
        } catch {
            self.library.logger.debug(
                "A poster decision cannot be read",
                metadata: ["movie.id": "\(id)", "error.message": "\(error)"])
            return nil
        }
    }

    package func keep(_ decision: PosterDecision, for id: MovieID, until expiresAt: Instant) async throws {
        let text: String
        do {
            text = String(decoding: try JSONEncoder().encode(PosterDecisionRecord(decision)), as: UTF8.self)
        } catch {
            self.library.logger.warning(
                "A poster decision cannot be written", metadata: ["error.message": "\(error)"])
            return
        }
        // Evicts the oldest decisions; a repeated decision is the latest.
        let (isCountingDue, limit) = (self.counting.isDue(), self.limit)
        try await self.attempt {
            try await self.library.write(.supplementary) { connection in
                _ = try connection.execute(
                    """
                    INSERT INTO poster_decision (film, decision, expires_at) VALUES ($1, $2, $3)
                    ON CONFLICT (film) DO UPDATE SET
                        sequence = DEFAULT, decision = excluded.decision, expires_at = excluded.expires_at
                    """, [.text(id.description), .text(text), .integer(expiresAt.secondsSince1970)])
                if isCountingDue { try connection.evictOldest(of: "poster_decision", above: limit) }
            }
        }
    }

    /// Has no effect if there is no decision.
    package func forget(_ id: MovieID) async throws {
        try await self.attempt {
            try await self.library.write(.supplementary) { connection in
                _ = try connection.execute(
                    "DELETE FROM poster_decision WHERE film = $1", [.text(id.description)])
            }
        }
    }

    /// - Returns: `nil` if the database fails; the library logs the failure.
    @discardableResult
    private func attempt<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value? {
        do {
            return try await body()
        } catch is StorageFailure {
            return nil
        }
    }
}
