import InternetAddress
import PosterTesting
import Testing

@testable import HTTPServer

struct ClientRateLimiterTests {
    private let clock = ManualClock()

    private func rates(_ rate: Int, burst: Int? = nil) -> ClientRateLimiter {
        ClientRateLimiter(ClientRateLimiter.Limit(rate: rate, burst: burst), now: self.clock.now)
    }

    private func client(_ text: String) throws -> ClientAddress {
        .host(try #require(IPAddress(text)))
    }

    /// The number of allowed requests out of `count`.
    private func allowed(_ count: Int, of client: ClientAddress, _ rates: ClientRateLimiter) -> Int {
        (0..<count).count { _ in rates.refusal(of: client) == nil }
    }

    @Test func aBurstIsAllowedAndThenTheRate() throws {
        let rates = self.rates(10, burst: 5)
        let client = try self.client("192.0.2.1")
        #expect(self.allowed(20, of: client, rates) == 5)
        #expect(rates.refusal(of: client) == .milliseconds(100))
        self.clock.advance(by: .milliseconds(60))
        #expect(rates.refusal(of: client) == .milliseconds(40))
        self.clock.advance(by: .milliseconds(40))
        #expect(self.allowed(20, of: client, rates) == 1)
        self.clock.advance(by: .seconds(1))
        #expect(self.allowed(20, of: client, rates) == 5, "no more than a burst, however long the rest")
    }

    @Test func whatIsRefusedCountsForNothing() throws {
        let rates = self.rates(10, burst: 1)
        let client = try self.client("192.0.2.1")
        #expect(rates.refusal(of: client) == nil)
        for _ in 0..<1000 { #expect(rates.refusal(of: client) == .milliseconds(100)) }
        self.clock.advance(by: .milliseconds(100))
        #expect(rates.refusal(of: client) == nil)
    }

    @Test func overALongTimeItIsTheRate() throws {
        let rates = self.rates(7, burst: 3)
        let client = try self.client("192.0.2.1")
        var count = 0
        for _ in 0..<10_000 {
            self.clock.advance(by: .milliseconds(10))
            count += self.allowed(2, of: client, rates)
        }
        #expect((700...703).contains(count))
    }

    @Test func theBurstIsFourTimesTheRateAndAtLeastTwenty() {
        #expect(ClientRateLimiter.Limit(rate: 1).burst == 20)
        #expect(ClientRateLimiter.Limit(rate: 6).burst == 24)
        #expect(ClientRateLimiter.Limit(rate: 1_000_000).burst == 1_000_000)
        #expect(ClientRateLimiter.Limit(rate: 100, burst: 1).burst == 1)
    }

    @Test func clientsAreIPv4AddressesAndNetworksOfIPv6() throws {
        let rates = self.rates(1, burst: 1)
        for (text, isAnother) in [
            ("192.0.2.1", true), ("192.0.2.2", true), ("2001:db8::1", true), ("2001:db8::2", false),
            ("2001:db8::ffff:ffff:ffff:ffff", false), ("2001:db8:0:1::1", true), ("::c000:201", true),
        ] {
            let client = try self.client(text)
            #expect((rates.refusal(of: client) == nil) == isAnother, "\(text)")
        }
        #expect(rates.refusal(of: .unixSocket) == nil && rates.refusal(of: .unknown) == nil)
        #expect(rates.refusal(of: .unixSocket) != nil && rates.refusal(of: .unknown) != nil)
    }

    @Test func aRefusedClientIsNotEvictedByNewOnes() throws {
        let rates = self.rates(1, burst: 20)
        let greedy = try self.client("192.0.2.1")
        #expect(self.allowed(30, of: greedy, rates) == 20)
        // Four times as many clients as the table holds, with one request each.
        for number in 0..<UInt32(4 * ClientRateLimiter.clientLimit) {
            #expect(rates.refusal(of: .host(.v4(0x0A00_0000 + number))) == nil)
        }
        #expect(rates.refusal(of: greedy) != nil)
    }

    @Test func clientsWithoutDebtAreEvictedFirst() throws {
        let rates = self.rates(1, burst: 2)
        for number in 0..<UInt32(4 * ClientRateLimiter.clientLimit) {
            _ = self.allowed(2, of: .host(.v4(0x0A00_0000 + number)), rates)
        }
        self.clock.advance(by: .seconds(2))
        let clients = (0..<UInt32(1000)).map { ClientAddress.host(.v4(0xC000_0200 + $0)) }
        for client in clients { #expect(self.allowed(3, of: client, rates) == 2) }
        let forgotten = clients.count { rates.refusal(of: $0) == nil }
        #expect(forgotten == 0, "there was room for all of them")
    }

    @Test func threadsShareOneAccount() async throws {
        let rates = self.rates(1, burst: 100)
        let client = try self.client("192.0.2.1")
        let allowed = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<100).count { _ in rates.refusal(of: client) == nil } }
            }
            return await group.reduce(0, +)
        }
        #expect(allowed == 100)
    }
}
