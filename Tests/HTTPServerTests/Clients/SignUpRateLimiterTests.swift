import InternetAddress
import PosterTesting
import Testing

@testable import HTTPSemantics
@testable import HTTPServer

@Suite(.timeLimit(.minutes(1)))
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

    @Test func aClientGetsTenTokensAtOnceAndThenOneInTenSeconds() throws {
        let rates = SignUpRateLimiter(now: self.clock.now)
        let flood = try self.client("192.0.2.1")
        #expect((0..<20).count { _ in self.isAdmitted(flood, by: rates) } == 10)
        #expect(self.isAdmitted(try self.client("192.0.2.2"), by: rates), "others are not concerned")
        self.clock.advance(by: .seconds(9))
        #expect(!self.isAdmitted(flood, by: rates))
        self.clock.advance(by: .seconds(1))
        #expect((0..<2).map { _ in self.isAdmitted(flood, by: rates) } == [true, false])
    }

    @Test func aNetworkOfIPv6IsOneClient() throws {
        let rates = SignUpRateLimiter(now: self.clock.now)
        let admitted = try (0..<20).count { self.isAdmitted(try self.client("2001:db8::\($0)"), by: rates) }
        #expect(admitted == 10)
    }

    @Test func allTogetherGetFewerThanAreKept() throws {
        let rates = SignUpRateLimiter(now: self.clock.now)
        let admitted = try (0..<300).count {
            self.isAdmitted(try self.client("10.0.\($0 / 100).\($0 % 100)"), by: rates)
        }
        #expect(admitted == SignUpRateLimiter.totalLimit.burst)
        let late = try self.client("10.1.0.1")
        #expect(!self.isAdmitted(late, by: rates))
        self.clock.advance(by: .milliseconds(500))
        #expect(self.isAdmitted(late, by: rates), "who was refused has spent nothing")
        let inAnHour = SignUpRateLimiter.totalLimit.burst + SignUpRateLimiter.totalLimit.rate * 3600
        #expect(inAnHour < 10_000)
    }
}
