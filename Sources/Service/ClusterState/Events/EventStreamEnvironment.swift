import Logging
import PosterPipeline
import RedisClient

/// The parts shared by the publisher and the reader of an event stream.
struct EventStreamEnvironment: Sendable {
    let client: RedisClient
    let settings: OriginalEventStream.Settings
    /// Threads for blocking disk access.
    let threads: BoundedThreadPool
    let logger: Logger
    let secondsSince1970: @Sendable () -> Int64
    let sleep: @Sendable (Duration) async throws -> Void
}
