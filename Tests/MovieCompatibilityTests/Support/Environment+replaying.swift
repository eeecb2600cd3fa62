import Flights
import HTTPFetch
import Logging
import MovieDomain
import PosterTesting
import UpstreamClient

extension UpstreamClient.Environment {
    /// An environment for replaying upstreams: without retries, with a store in memory.
    ///
    /// - Parameter now: The time of the clock.
    static func replaying(_ now: @escaping @Sendable () -> Instant) throws -> UpstreamClient.Environment {
        var configuration = FetchConfiguration()
        configuration.allowPrivateAddresses = true
        configuration.retry.maxRetries = 0
        return UpstreamClient.Environment(
            transport: FetchTransport(try Fetcher(configuration: configuration)), store: try ResponseStore(), now: now,
            logger: Logger(label: "compatibility") { _ in SwiftLogNoOpLogHandler() },
            sleep: { _ in try await Gate().wait() })
    }
}
