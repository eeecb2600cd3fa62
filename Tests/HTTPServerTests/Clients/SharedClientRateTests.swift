import InternetAddress
import PosterTesting
import Testing

@testable import HTTPServer

struct SharedClientRateTests {
    private let clock = ManualClock()

    private func rates(isShared: Bool = true) -> ClientRateLimiter {
        ClientRateLimiter(ClientRateLimiter.Limit(rate: 10, burst: 5), isShared: isShared, now: self.clock.now)
    }

    private func client(_ number: Int = 1) -> ClientAddress {
        .host(.v4(0xC000_0200 + UInt32(number)))
    }

    private func allowed(_ count: Int, of client: ClientAddress, _ rates: ClientRateLimiter) -> Int {
        (0..<count).count { _ in rates.refusal(of: client) == nil }
    }

    @Test func whatIsAdmittedIsCollectedOnce() throws {
        let rates = self.rates()
        #expect(self.allowed(9, of: self.client(), rates) == 5)
        let charges = rates.takeCharges()
        #expect(charges.map(\.count) == [5], "what was refused is not charged")
        #expect(charges.first?.client == [3, 0, 0, 0, 0, 0xC0, 0, 2, 1])
        #expect(rates.takeCharges().isEmpty)
    }

    @Test func aRefundIsCollectedToo() {
        let rates = self.rates()
        _ = self.allowed(3, of: self.client(), rates)
        rates.refund(self.client())
        #expect(rates.takeCharges().map(\.count) == [2])
        rates.refund(self.client())
        #expect(rates.takeCharges().map(\.count) == [-1], "of what was sent before")
    }

    @Test func whatAllNodesHaveChargedApplies() throws {
        let rates = self.rates()
        #expect(rates.refusal(of: self.client()) == nil)
        let charge = try #require(rates.takeCharges().first)
        rates.merge(charge, arrival: 300_000_000)
        #expect(self.allowed(9, of: self.client(), rates) == 2, "three of five are charged")
        rates.merge(charge, arrival: 100_000_000)
        #expect(rates.refusal(of: self.client()) == .milliseconds(100), "what is less changes nothing")
    }

    @Test func whatWasChargedMeanwhileIsAddedToIt() throws {
        let rates = self.rates()
        #expect(rates.refusal(of: self.client()) == nil)
        let charge = try #require(rates.takeCharges().first)
        #expect(self.allowed(2, of: self.client(), rates) == 2)
        rates.merge(charge, arrival: 200_000_000)
        #expect(self.allowed(9, of: self.client(), rates) == 1, "two by all, two since")
    }

    @Test func aClientThatWasEvictedIsNotMerged() throws {
        let rates = self.rates()
        #expect(rates.refusal(of: self.client()) == nil)
        let charge = try #require(rates.takeCharges().first)
        let other = self.rates()
        other.merge(charge, arrival: 10_000_000_000)
        #expect(self.allowed(9, of: self.client(), other) == 5)
    }

    @Test func chargesOfTooManyClientsAreLostAndCounted() {
        let rates = self.rates()
        for number in 0..<20_000 { _ = rates.refusal(of: self.client(number)) }
        let charges = rates.takeCharges()
        #expect(charges.count <= ClientRateLimiter.collectedLimit)
        #expect(charges.count > ClientRateLimiter.collectedLimit * 9 / 10)
        #expect(charges.reduce(0) { $0 + $1.count } + rates.takeUnlistedCount() == 20_000)
        #expect(rates.takeUnlistedCount() == 0)
    }

    @Test func withoutOtherNodesNothingIsCollected() {
        let rates = self.rates(isShared: false)
        #expect(self.allowed(9, of: self.client(), rates) == 5)
        rates.refund(self.client())
        #expect(rates.takeCharges().isEmpty)
    }
}
