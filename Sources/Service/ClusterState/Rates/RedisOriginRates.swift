package import CoreMetrics
import Flights
package import HTTPFetch
package import RedisClient

/// Rates of origins in Redis: one theoretical arrival time (``Flights/RateLimit``) per origin, by Redis's clock.
///
/// A reply may take up to ``replyTolerance``, which makes its times later on the node's clock. Therefore the burst in
/// Redis is smaller by that time.
package struct RedisOriginRates: SharedRates {
    /// The maximum delay of a reply, in nanoseconds.
    static let replyTolerance = SharedDeadlines.upstream.nanoseconds

    private let redis: RedisClient
    private let nodes: NodeCount
    private let replyTimeout: Duration
    private let counts: LeaseCounts

    /// - Parameter replyTimeout: The timeout of each reply, after which the node uses its share; 100 ms by default.
    package init(
        redis: RedisClient, nodes: NodeCount, replyTimeout: Duration = SharedDeadlines.upstream,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.redis = redis
        self.nodes = nodes
        self.replyTimeout = replyTimeout
        self.counts = LeaseCounts(kind: "rate", metrics: metrics)
    }

    package var share: RateShare { self.nodes.share }

    package func lease(_ request: RateRequest) async throws -> RateLease? {
        let (interval, tolerance) = (request.limit.interval, request.limit.tolerance)
        // The node's burst is larger by `shift`; its arrival times are later by as much, so that events have the same
        // times.
        let shift = min(tolerance, Self.replyTolerance)
        let times = [
            interval, tolerance - shift, UInt64(request.count), request.maxWait,
            request.leastArrival.subtractingClamped(shift),
        ]
        do {
            let reply = try await self.redis.evaluate(
                Self.script, keys: ["\(self.redis.prefix){rate:\(request.origin)}"],
                times.map { Int64(clamping: $0) }, within: self.replyTimeout)
            guard let numbers = reply.elements?.map({ $0.number ?? -1 }), numbers.count == 2, numbers[1] >= 0 else {
                throw RedisFailure.unintelligible("it is not a reply to a lease request")
            }
            let nanoseconds = UInt64(numbers[1]).multipliedReportingOverflow(by: 1000).partialValue
            guard numbers[0] > 0 else {
                self.counts.count(.refused)
                return .refused(after: nanoseconds)
            }
            // Clamped, in case the reply is not the script's.
            let count = min(Int(numbers[0]), request.count)
            self.counts.count(.granted, size: count)
            return .granted(count: count, arrival: nanoseconds.addingClamped(shift))
        } catch is RedisFailure {
            self.counts.count(.unavailable)
            return nil
        }
    }

    /// Arguments are in nanoseconds; Redis's clock has microseconds, which a Lua number represents exactly.
    private static let script = RedisScript(
        """
        local time = redis.call('TIME')
        local now = time[1] * 1000000 + time[2]
        local interval, tolerance = ARGV[1] / 1000, ARGV[2] / 1000
        local count, longest = tonumber(ARGV[3]), ARGV[4] / 1000
        local arrival = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now, now + ARGV[5] / 1000)
        local wait = arrival - tolerance - now
        if wait > longest then
          return {0, math.ceil(wait)}
        end
        count = math.min(count, math.floor((longest - wait) / interval) + 1)
        local after = arrival + count * interval
        redis.call('SET', KEYS[1], string.format('%.3f', after), 'PX', math.ceil((after - now) / 1000) + 1)
        return {count, math.ceil(arrival - now)}
        """)
}

/// Counters of leases, by kind and outcome.
struct LeaseCounts: Sendable {
    enum Outcome: String, CaseIterable {
        case granted, refused, unavailable
    }

    private let counters: [Outcome: Counter]
    /// The total amount granted.
    private let size: Counter

    init(kind: String, metrics: any MetricsFactory) {
        self.counters = Dictionary(
            uniqueKeysWithValues: Outcome.allCases.map { outcome in
                let dimensions = [("kind", kind), ("outcome", outcome.rawValue)]
                return (outcome, Counter(label: "onesheet.redis.leases", dimensions: dimensions, factory: metrics))
            })
        self.size = Counter(label: "onesheet.redis.leased", dimensions: [("kind", kind)], factory: metrics)
    }

    /// - Parameter size: The amount granted: attempts or requests.
    func count(_ outcome: Outcome, size: Int = 0) {
        self.counters[outcome]?.increment()
        if size > 0 { self.size.increment(by: size) }
    }
}
