import Flights
import InternetAddress
import PosterTesting
import Testing

@testable import HTTPFetch

/// A name that was resolved before, and cannot be resolved again.
@Suite(.timeLimit(.hang)) struct StaleNameTests {
    private let clock = ManualClock()

    @Test(
        "its addresses are used for ten minutes more",
        arguments: [ResolverError.notFound, .temporaryFailure, .outOfDescriptors])
    func failing(failure: ResolverError) async throws {
        let resolver = self.makeResolver(ScriptedResolver([.success([.v4(1)]), .failure(failure)]).lookUp)
        for passed in [0, 60, 300, 299] {
            self.clock.advance(by: .seconds(passed))
            for _ in 0..<2 {
                let addresses = try await resolver.addresses(of: "a.test")
                #expect(addresses == [.v4(1)])
            }
        }
        self.clock.advance(by: .seconds(1))
        await #expect(throws: failure) { try await resolver.addresses(of: "a.test") }
    }

    @Test func newOnesTakeTheirPlace() async throws {
        let names = ScriptedResolver([.success([.v4(1)]), .failure(.temporaryFailure), .success([.v4(2)])])
        let resolver = self.makeResolver(names.lookUp)
        for number in [1, 1, 2] as [UInt32] {
            let addresses = try await resolver.addresses(of: "a.test")
            #expect(addresses == [.v4(number)])
            self.clock.advance(by: .seconds(61))
        }
    }

    @Test func aLookupThatHangsDelaysStaleAddressesNoLongerThanTheLimit() async throws {
        let (isAsked, isReleased, staleResponseDelay) = (Gate(), Latch(), Gate())
        let answers = ScriptedResolver([.success([.v4(1)]), .success([.v4(2)])])
        let count = Counter()
        let resolver = self.makeResolver(staleResponseDelay: staleResponseDelay) { name in
            count.increment()
            if count.value > 1 {
                isAsked.open()
                isReleased.wait()
            }
            return answers.lookUp(name)
        }
        _ = try await resolver.addresses(of: "a.test")
        self.clock.advance(by: .seconds(60))
        let first = Task { try await resolver.addresses(of: "a.test") }
        try await isAsked.wait()
        staleResponseDelay.open()
        let addresses = try await first.value
        #expect(addresses == [.v4(1)])

        self.clock.advance(by: NameResolver.staleResponseDelay)
        let remembered = try resolver.cachedResult(for: "a.test")?.get()
        #expect(remembered == [.v4(1)], "the others do not wait at all")
        isReleased.open()
        try await eventually { resolver.lookupCount == 0 }
        let later = try await resolver.addresses(of: "a.test")
        #expect(later == [.v4(2)])
    }

    @Test func aTimeoutOfNameResolutionIsNotTheOriginsFailure() async throws {
        let hanging = TestResolver.hang("verdict.hangs.test")
        let fetcher = try makeFetcher {
            $0.connectTimeout = .milliseconds(50)
            $0.breaker.threshold = 1
        }
        for _ in 0..<2 {
            await #expect(throws: FetchError.timedOut(.connect)) { try await fetcher.get("http://\(hanging.name)/") }
        }
        #expect(fetcher.origins.first?.totals.failures == 0)
        hanging.release()
    }

    private func makeResolver(
        staleResponseDelay: Gate = Gate(), _ lookUp: @escaping NameResolver.LookUp
    ) -> NameResolver {
        var timing = self.clock.timing
        timing.waitForName = { _ in try await staleResponseDelay.wait() }
        return NameResolver(cacheDuration: .seconds(60), timing: timing, lookUp: lookUp)
    }
}
