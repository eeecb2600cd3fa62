package import CodecWorkers
import Flights
package import MovieCompatibility
package import MovieHTTP
package import PosterPipeline

extension ServerDependencies {
    /// Replacements for parts of the service, for tests. By default nothing is replaced.
    package struct Overrides: Sendable {
        /// The time of day, in seconds since 1970.
        package var secondsSince1970: @Sendable () -> Int64 = AnchoredClock.make()
        /// The pipeline's monotonic clock, in nanoseconds.
        package var now: @Sendable () -> UInt64 = Uptime.nanoseconds
        /// Wraps the locator of originals.
        package var locator: @Sendable (any PosterLocator) -> any PosterLocator = { $0 }
        /// Publishes events of originals; `nil` publishes them in Redis, if that is configured.
        package var events: (any OriginalEventPublisher)?
        /// Blocks requests while it is closed; `nil` uses the gate of the events in Redis.
        package var gate: EventGate?
        /// Worker processes and their quarantine; `nil` starts the configured ones.
        package var codec: (workers: CodecWorkerPool, quarantine: Quarantine?)?
        /// Which variants are worth storing.
        package var variantStore = VariantStoreLimits()
        /// The film domain, which its owner closes; `nil` creates and closes the configured one.
        package var movies: MovieDependencies?
        /// The services of the movie API; by default the film domain's.
        package var movieServices: MovieServices?
        /// Other services' unmodified responses; by default the film domain's.
        package var documents: CompatibleUpstreams?

        package init() {}
    }

    /// Other services' unmodified responses.
    var documents: CompatibleUpstreams { self.overrides.documents ?? self.movies.documents }
}
