import InternetAddress
import PosterTesting
import Testing

@testable import HTTPSemantics
@testable import HTTPServer

@Suite(.timeLimit(.hang))
struct SignUpRateLimiterTests {
    private let clock = ManualClock()

    private func isAdmitted(_ client: ClientAddress, by rates: SignUpRateLimiter) -> Bool {
        do throws(Problem) {
            try rates.admit(client)
            return true
        } catch {
            #expect(error.kind == .tooManyRequests && (error.retryAfterSeconds ?? 0) >= 1)
            return false
        }
    }

    private func client(_ text: String) throws -> ClientAddress { .host(try #require(IPAddress(text))) }

    /// A burst of ten, and six per minute.
    private static let few = {
        var limits = SignUpRateLimiter.Limits()
        limits.client = ClientRateLimiter.Limit(rate: 6, inSeconds: 60, burst: 10)
        return limits
    }()

    @Test func aClientGetsABurstOfTokensAndThenThoseOfItsRate() throws {
        let rates = SignUpRateLimiter(Self.few, now: self.clock.now)
        let flood = try self.client("192.0.2.1")
        #expect((0..<20).count { _ in self.isAdmitted(flood, by: rates) } == 10)
        #expect(self.isAdmitted(try self.client("192.0.2.2"), by: rates), "others are not concerned")
        self.clock.advance(by: .seconds(9))
        #expect(!self.isAdmitted(flood, by: rates))
        self.clock.advance(by: .seconds(1))
        #expect((0..<2).map { _ in self.isAdmitted(flood, by: rates) } == [true, false])
    }

    @Test func aNetworkOfIPv6IsOneClient() throws {
        let rates = SignUpRateLimiter(Self.few, now: self.clock.now)
        let admitted = try (0..<20).count { self.isAdmitted(try self.client("2001:db8::\($0)"), by: rates) }
        #expect(admitted == 10)
    }

    @Test func byDefaultOneAddressServesTheUsersOfACarriersNAT() throws {
        let rates = SignUpRateLimiter(now: self.clock.now)
        let address = try self.client("192.0.2.1")
        #expect((0..<100).allSatisfy { _ in self.isAdmitted(address, by: rates) })
        #expect(!self.isAdmitted(address, by: rates))
        self.clock.advance(by: .seconds(1))
        #expect((0..<2).map { _ in self.isAdmitted(address, by: rates) } == [true, false])
        let limit = SignUpRateLimiter.Limits().client
        #expect(limit.burst + limit.rate * 60 < 10_000, "in an hour it cannot replace those of others")
    }

    @Test func allTogetherGetABurstAndThenTheRateOfAll() throws {
        var limits = SignUpRateLimiter.Limits()
        limits.total = ClientRateLimiter.Limit(rate: 120, inSeconds: 60, burst: 200)
        let rates = SignUpRateLimiter(limits, now: self.clock.now)
        let admitted = try (0..<300).count {
            self.isAdmitted(try self.client("10.0.\($0 / 100).\($0 % 100)"), by: rates)
        }
        #expect(admitted == 200)
        let late = try self.client("10.1.0.1")
        #expect(!self.isAdmitted(late, by: rates))
        self.clock.advance(by: .milliseconds(500))
        #expect(self.isAdmitted(late, by: rates), "who was refused has spent nothing")
    }
}
