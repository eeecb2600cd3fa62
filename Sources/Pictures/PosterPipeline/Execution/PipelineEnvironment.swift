package import CoreMetrics
import Flights
package import Logging

/// The log, clocks and metrics of a pipeline.
package struct PipelineEnvironment: Sendable {
    let logger: Logger
    /// A monotonic time in nanoseconds.
    let now: @Sendable () -> UInt64
    let secondsSince1970: @Sendable () -> Int64
    /// Suspends between re-encodings.
    let sleep: @Sendable (Duration) async throws -> Void
    let metrics: any MetricsFactory

    /// Creates an environment, by default with the machine's clocks.
    package init(
        logger: Logger, now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds,
        secondsSince1970: @escaping @Sendable () -> Int64 = AnchoredClock.make(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.logger = logger
        self.now = now
        self.secondsSince1970 = secondsSince1970
        self.sleep = sleep
        self.metrics = metrics
    }
}
