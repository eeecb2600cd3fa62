package import CoreMetrics
import Cryptography
import Flights
package import HTTPServer
package import RedisClient
import Synchronization

/// Client rates in Redis: sends this node's charges every ``interval``, and merges the charges of all nodes.
///
/// Each client has a theoretical arrival time in Redis until it has its full burst again, under a keyed hash of its
/// address. The key is random, shared through Redis, and replaced daily.
package final class SharedClientRates: Sendable {
    package static let interval: Duration = .milliseconds(100)
    /// Clients per call, which takes Redis less than 1 ms.
    static let clientsPerCall = 256
    /// Lifetime of a key in seconds, and the number of rounds after which it is read again.
    private static let keyLifetime = 86_400
    private static let roundsPerKey = 100
    private static let keyLength = 32

    private struct KeyState {
        var key: SymmetricKey?
        var round = 0
    }

    private let limiter: ClientRateLimiter
    private let redis: RedisClient
    private let sent: Counter
    private let lost: Counter
    private let key = Mutex(KeyState())

    package init(
        _ limiter: ClientRateLimiter, redis: RedisClient, metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.limiter = limiter
        self.redis = redis
        self.sent = Counter(label: "onesheet.redis.client.charges", factory: metrics)
        self.lost = Counter(label: "onesheet.redis.client.lost", factory: metrics)
    }

    /// Performs one round. Without Redis, charges are collected until it is back, as far as there is room.
    package func exchange() async throws {
        guard self.redis.isConnected else { return }
        do {
            let key = try await self.currentKey()
            self.lost.increment(by: self.limiter.takeUnlistedCount())
            let charges = self.limiter.takeCharges()
            for start in stride(from: 0, to: charges.count, by: Self.clientsPerCall) {
                let part = charges[start..<min(start + Self.clientsPerCall, charges.count)]
                try await self.exchange(part, key: key)
            }
        } catch is RedisFailure {
            // Charges taken from the limiter are not sent again: this node has applied them itself.
        }
    }

    private func exchange(_ charges: ArraySlice<ClientCharge>, key: SymmetricKey) async throws {
        let keys = charges.map { "\(self.redis.prefix){clients}:\(Self.name($0.client, key))" }
        let reply = try await self.redis.evaluate(
            Self.script, keys: keys, [Int64(clamping: self.limiter.chargeInterval)] + charges.map(\.count),
            within: SharedDeadlines.background)
        guard let arrivals = reply.elements, arrivals.count == charges.count else {
            throw RedisFailure.unintelligible("it is not a reply to charges")
        }
        for (charge, arrival) in zip(charges, arrivals) {
            guard let microseconds = arrival.number, microseconds > 0 else { continue }
            let (nanoseconds, isOver) = microseconds.multipliedReportingOverflow(by: 1000)
            // An overflow is 292 years ahead: no valid arrival time.
            guard !isOver else { continue }
            self.limiter.merge(charge, arrival: UInt64(nanoseconds))
        }
        self.sent.increment(by: charges.count)
    }

    // MARK: The key of hashes

    private func currentKey() async throws -> SymmetricKey {
        let known = self.key.withLock { state -> SymmetricKey? in
            state.round += 1
            return state.round % Self.roundsPerKey == 1 ? nil : state.key
        }
        if let known { return known }
        let new = SymmetricKey().withUnsafeBytes { Array($0) }
        let name = "\(self.redis.prefix){clients}:key"
        let reply = try await self.redis.evaluate(
            Self.keyScript, keys: [name], [new, Self.keyLifetime], within: SharedDeadlines.background)
        guard let bytes = reply.bytesValue, bytes.count == Self.keyLength else {
            throw RedisFailure.unintelligible("it is not a valid key of clients")
        }
        let key = SymmetricKey(data: bytes)
        self.key.withLock { $0.key = key }
        return key
    }

    /// The first half of an HMAC, in hexadecimal.
    static func name(_ client: [UInt8], _ key: SymmetricKey) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let code = HMACSHA256.authenticationCode(for: client, using: key).prefix(16)
        return String(decoding: code.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let keyScript = RedisScript(
        """
        redis.call('SET', KEYS[1], ARGV[1], 'NX', 'EX', ARGV[2])
        return redis.call('GET', KEYS[1])
        """)

    /// Charges without a limit: events that a node admitted are admitted. Returns the microseconds until each arrival
    /// time.
    private static let script = RedisScript(
        """
        local time = redis.call('TIME')
        local now, interval = time[1] * 1000000 + time[2], ARGV[1] / 1000
        local arrivals = {}
        for i, key in ipairs(KEYS) do
          local arrival = math.max(tonumber(redis.call('GET', key) or 0), now) + ARGV[i + 1] * interval
          if arrival > now then
            redis.call('SET', key, string.format('%.3f', arrival), 'PX', math.ceil((arrival - now) / 1000) + 1)
          else
            redis.call('DEL', key)
          end
          arrivals[i] = math.ceil(math.max(0, arrival - now))
        end
        return arrivals
        """)
}
