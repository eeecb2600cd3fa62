package import MovieDomain
import Synchronization

/// The use of an upstream today, and its state.
package struct UpstreamUsage: Hashable, Sendable {
    package let source: MovieSource
    /// Requests of this node on the upstream's current day; `nil` without a daily budget.
    package let requests: Int?
    /// The daily budget; `nil` without one.
    package let limit: Int?
    /// Whether the upstream has rejected the key since its last success.
    package let isKeyRefused: Bool
    /// Seconds until its pause ends; `nil` if there is none.
    package let pauseSeconds: Int?
}

extension UpstreamClient {
    /// - Throws: `CancellationError`.
    package func usage() async throws -> UpstreamUsage {
        let now = self.now()
        var requests: Int?
        if let day = self.budget?.day(at: now) {
            let counted = self.state.withLock { $0.requestCount(on: day) }
            // After a restart, only the store knows the earlier count.
            let stored =
                counted > 0 ? nil : try await self.withStore { try await $0.requestCount(on: day, of: self.source) }
            requests = stored ?? counted
        }
        let (isKeyRefused, pause) = self.state.withLock { ($0.isKeyRefused, $0.secondsBusy(at: now)) }
        return UpstreamUsage(
            source: self.source, requests: requests, limit: self.budget?.requests, isKeyRefused: isKeyRefused,
            pauseSeconds: pause)
    }
}
