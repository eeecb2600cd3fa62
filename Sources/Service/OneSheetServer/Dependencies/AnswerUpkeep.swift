import Logging
import MovieDomain
import ServiceLifecycle
import UpstreamClient

/// Deletes answers that are too old to be kept, once a day and at the start: also those of sources that nobody asks any more.
struct AnswerUpkeep: Service {
    private static let period: Duration = .seconds(86_400)

    let answers: ResponseStore
    let now: @Sendable () -> Instant
    let logger: Logger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    try await self.sweep()
                    try await Task.sleep(for: Self.period)
                }
            }
        } catch is CancellationError {}
    }

    /// Once.
    ///
    /// - Throws: `CancellationError`.
    func sweep() async throws {
        let age = UpstreamLifetimes().maxAge.components.seconds
        let oldest = Instant(secondsSince1970: self.now().secondsSince1970 - age)
        for source in MovieSource.allCases {
            do {
                try await self.answers.remove(of: source, before: oldest)
            } catch let error as CancellationError {
                throw error
            } catch {
                self.logger.warning(
                    "Old answers cannot be deleted",
                    metadata: ["movie.source": "\(source.rawValue)", "error.message": "\(error)"])
            }
        }
    }
}
