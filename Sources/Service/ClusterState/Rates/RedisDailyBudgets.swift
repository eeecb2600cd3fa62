package import CoreMetrics
import Flights
import HTTPFetch
package import MovieDomain
package import RedisClient
import Synchronization
package import UpstreamClient

/// Daily budgets in Redis: a hash for each source and day, with each node's sent requests and its allowance.
///
/// The allowances together never exceed the budget, so a node uses up its own with or without Redis. A node that needs
/// more gets its sent requests plus a share of the rest: as many shares as there are nodes, and one for a node that
/// starts later. A node returns its unused allowance gradually, at each renewal, and completely when it stops. A killed
/// node's allowance is reserved for its restart on that day. When the hash was lost, nodes report their allowances
/// before any node gets more.
///
/// The lock guards a state for each source.
package final class RedisDailyBudgets: SharedDailyBudgets {
    /// After the hash was lost, no allowance grows for this time, in seconds.
    package static let settlingTime = 10

    private struct Holding {
        let day: CalendarDate
        let budget: DailyBudget
        /// The day's requests that this node has sent.
        var sent = 0
        /// The day's maximum number of requests for this node; `nil` before anything is known of the day.
        var allowance: Int?
        /// The sufficient allowance at the last contact; the excess is returned.
        var target = 0
        var isUsedUp = false
        /// Whether Redis has replied about this day.
        var hasContact = false
    }

    private struct Call: Hashable {
        let source: MovieSource
        let day: CalendarDate
    }

    private let redis: RedisClient
    private let nodes: NodeCount
    private let settlingTime: Int
    private let replyTimeout: Duration
    private let counts: LeaseCounts
    private let now: @Sendable () -> Instant
    private let holdings = Mutex<[MovieSource: Holding]>([:])
    private let calls = SingleFlight<Call, Bool>()
    /// Serialises calls, so that replies are recorded in Redis's order; there are at most two calls per source.
    private let turns = WeightedSemaphore(
        WeightedSemaphore.Limits(count: 1, queue: 2 * MovieSource.allCases.count), now: Uptime.nanoseconds)

    /// - Parameters:
    ///   - settlingTime: See ``RedisDailyBudgets/settlingTime``.
    ///   - replyTimeout: The timeout of each reply, after which the node uses its own allowance; 100 ms by default.
    package init(
        redis: RedisClient, nodes: NodeCount, settlingTime: Int = RedisDailyBudgets.settlingTime,
        replyTimeout: Duration = SharedDeadlines.upstream, metrics: any MetricsFactory = MetricsSystem.factory,
        now: @escaping @Sendable () -> Instant
    ) {
        self.redis = redis
        self.nodes = nodes
        self.settlingTime = settlingTime
        self.replyTimeout = replyTimeout
        self.counts = LeaseCounts(kind: "day", metrics: metrics)
        self.now = now
    }

    package func charge(
        _ source: MovieSource, on day: CalendarDate, budget: DailyBudget, counted: Int
    ) async throws -> DailyRefusal? {
        let isCharged = self.holdings.withLock { holdings in
            // A request that began before midnight may find the next day.
            if holdings[source].map({ $0.day < day }) ?? true { holdings[source] = Holding(day: day, budget: budget) }
            guard holdings[source]?.day == day, let known = holdings[source]?.sent else { return false }
            holdings[source]?.sent = max(known, counted)
            return Self.isCharged(&holdings, source, on: day)
        }
        if isCharged { return nil }
        _ = try await self.calls.value(for: Call(source: source, day: day)) { _ in
            try await self.renew(source, wantsMore: true)
            return true
        }
        return self.holdings.withLock { holdings in
            if Self.isCharged(&holdings, source, on: day) { return nil }
            if let holding = holdings[source], holding.day == day, holding.isUsedUp { return .usedUp }
            return .heldByOthers(retryAfterSeconds: Int(NodeCount.renewalInterval.components.seconds))
        }
    }

    package func refund(_ source: MovieSource, on day: CalendarDate) {
        self.holdings.withLock { holdings in
            guard let holding = holdings[source], holding.day == day, holding.sent > 0 else { return }
            holdings[source]?.sent = holding.sent - 1
        }
    }

    private static func isCharged(
        _ holdings: inout [MovieSource: Holding], _ source: MovieSource, on day: CalendarDate
    ) -> Bool {
        guard let holding = holdings[source], holding.day == day, holding.sent < holding.allowance ?? 0 else {
            return false
        }
        holdings[source]?.sent = holding.sent + 1
        return true
    }

    /// Renews this node's allowances, reducing them to its needs.
    package func renew() async throws {
        for source in self.holdings.withLock({ Array($0.keys) }) { try await self.renew(source, wantsMore: false) }
    }

    /// Returns all unused allowances.
    package func leave() async {
        for source in self.holdings.withLock({ Array($0.keys) }) {
            self.holdings.withLock { $0[source]?.target = 0 }
            try? await self.renew(source, wantsMore: false, isLeaving: true)
        }
    }

    private func renew(_ source: MovieSource, wantsMore: Bool, isLeaving: Bool = false) async throws {
        try await self.turns.withPermit(urgency: Urgency(.interactive)) {
            try await self.update(source, wantsMore: wantsMore, isLeaving: isLeaving)
        }
    }

    /// - Parameter wantsMore: Whether a request exceeds the allowance.
    private func update(_ source: MovieSource, wantsMore: Bool, isLeaving: Bool) async throws {
        let seconds = { (holding: Holding) in holding.budget.secondsLeft(at: self.now()) }
        let known = self.holdings.withLock { holdings -> Holding? in
            // Reduced before Redis is informed: it may grant the difference to others at once.
            if let allowance = holdings[source]?.allowance, let holding = holdings[source], !wantsMore {
                holdings[source]?.allowance = min(allowance, max(holding.sent, holding.target))
            }
            return holdings[source]
        }
        guard let holding = known, wantsMore || holding.allowance != nil else { return }
        // A past day needs no renewal.
        guard holding.day == holding.budget.day(at: self.now()) else { return }
        let arguments: [any RedisArgument] = [
            self.nodes.name, holding.sent, holding.allowance ?? -1, holding.budget.requests, seconds(holding) + 3600,
            wantsMore ? 1 : 0, isLeaving ? 1 : 0, NodeCount.entryLifetime, self.settlingTime,
            holding.hasContact ? 1 : 0,
        ]
        do {
            let reply = try await self.redis.evaluate(
                Self.script, keys: ["\(self.redis.prefix){day:\(source.rawValue):\(holding.day.dayNumber)}"], arguments,
                within: self.replyTimeout)
            guard let numbers = reply.elements?.map({ Int(clamping: $0.number ?? -1) }), numbers.count == 3,
                numbers.allSatisfy({ $0 >= 0 })
            else { throw RedisFailure.unintelligible("it is not a reply to an allowance request") }
            self.note(source, holding, allowance: numbers[0], target: numbers[1], isUsedUp: numbers[2] == 1)
            if wantsMore {
                let growth = numbers[0] - (holding.allowance ?? 0)
                self.counts.count(growth > 0 ? .granted : .refused, size: max(0, growth))
            }
        } catch is RedisFailure {
            self.counts.count(.unavailable)
            self.takeShare(of: source, holding)
        }
    }

    private func note(_ source: MovieSource, _ before: Holding, allowance: Int, target: Int, isUsedUp: Bool) {
        self.holdings.withLock { holdings in
            guard holdings[source]?.day == before.day else { return }
            holdings[source]?.allowance = allowance
            holdings[source]?.target = target
            holdings[source]?.isUsedUp = isUsedUp
            holdings[source]?.hasContact = true
        }
    }

    /// On a day that begins without Redis: takes an equal share of the budget.
    private func takeShare(of source: MovieSource, _ before: Holding) {
        let count = self.nodes.share.nodeCount
        self.holdings.withLock { holdings in
            guard let holding = holdings[source], holding.day == before.day, holding.allowance == nil else { return }
            holdings[source]?.allowance = holding.budget.requests / max(1, count)
            holdings[source]?.target = holding.budget.requests / max(1, count)
        }
    }

    private static let script = RedisScript(
        """
        local me, sent, mine, budget = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
        local now = tonumber(redis.call('TIME')[1])
        local settling = tonumber(ARGV[9])
        if redis.call('EXISTS', KEYS[1]) == 0 and settling > 0 then
          local lost = ARGV[10] == '1'
          local info = redis.pcall('INFO', 'server')
          local uptime = type(info) == 'string' and tonumber(string.match(info, 'uptime_in_seconds:(%d+)'))
          if lost or uptime and uptime < settling then
            redis.call('HSET', KEYS[1], '#settled', now + settling)
          end
        end
        local settled = 0
        local others, all, nodes = 0, 0, 1
        local fields = redis.call('HGETALL', KEYS[1])
        for i = 1, #fields, 2 do
          if fields[i] == '#settled' then
            settled = tonumber(fields[i + 1])
          else
            local count, allowance, seen = string.match(fields[i + 1], '^(%d+) (%d+) (%d+)$')
            if fields[i] == me then
              sent = math.max(sent, tonumber(count))
              if mine < 0 then mine = tonumber(allowance) end
            else
              others, all = others + allowance, all + count
              if now - seen <= tonumber(ARGV[8]) then nodes = nodes + 1 end
            end
          end
        end
        all = all + sent
        mine = math.max(mine, sent)
        local target = sent + math.max(0, math.ceil((budget - all) / (nodes + 1)))
        if ARGV[6] == '1' and now >= settled then
          mine = math.max(mine, math.min(target, budget - others))
        end
        local seen = now
        if ARGV[7] == '1' then mine, seen = sent, 0 end
        redis.call('HSET', KEYS[1], me, string.format('%d %d %d', sent, mine, seen))
        redis.call('EXPIRE', KEYS[1], ARGV[5])
        return {mine, target, all >= budget and 1 or 0}
        """)
}
