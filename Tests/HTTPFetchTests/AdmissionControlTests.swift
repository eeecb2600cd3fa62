import Flights
import Testing

@testable import HTTPFetch

@Suite struct AdmissionControlTests {
    @Test func noOriginAloneCanTakeAllThereIs() {
        var configuration = FetchConfiguration()
        #expect(
            [configuration.transferBound, configuration.waitingBound, configuration.connectionBound] == [128, 1024, 64])
        configuration.originLimits.maxFetches = 100
        configuration.originLimits.maxWaiting = 1000
        var limits = OriginLimits()
        limits.maxConnections = 20
        configuration.originLimitsByHost["a.test"] = limits
        #expect(
            [configuration.transferBound, configuration.waitingBound, configuration.connectionBound] == [400, 4000, 80])
        configuration.originLimits.maxFetches = .max
        configuration.originLimits.maxConnections = -1
        configuration.originLimitsByHost = [:]
        configuration.maxConnections = 0
        #expect((configuration.transferBound, configuration.connectionBound) == (.max, 4))
    }

    @Test func theLastQuarterIsForWhatSomebodyWaitsFor() async throws {
        let places = self.makePlaces()
        #expect(try await self.fill(places, waits: true, .warming) == 3)
        #expect(try await self.fill(places, waits: true, .interactive) == 4)
        #expect(try await self.fill(places, waits: false, .revalidation) == 3)
        #expect(try await self.fill(places, waits: false, .interactive) == 4)
    }

    @Test func whoNeedsNotWaitNeedsNoPlaceForIt() async throws {
        let places = self.makePlaces()
        try await self.holding(4, of: places) {
            await #expect(throws: FetchError.overloaded(retryAfter: .seconds(1))) {
                try await places.withPlace(waits: true, urgency: Urgency(.interactive)) { _ in Self.response }
            }
            _ = try await places.withPlace(waits: false, urgency: Urgency(.interactive)) { place in
                try place.start()
                return Self.response
            }
        }
    }

    @Test func whoHasStartedLeavesAPlaceToWait() async throws {
        let places = self.makePlaces()
        _ = try await places.withPlace(waits: true, urgency: Urgency(.interactive)) { place in
            try place.start()
            #expect(try await self.fill(places, waits: true, .interactive) == 4)
            return Self.response
        }
        #expect(try await self.fill(places, waits: false, .interactive) == 4)
    }

    /// How many fetches of this level find a place at once.
    private func fill(_ places: AdmissionControl, waits: Bool, _ level: Urgency.Level) async throws -> Int {
        var count = 0
        do {
            _ = try await places.withPlace(waits: waits, urgency: Urgency(level)) { place in
                if !waits { try place.start() }
                count = 1
                count += try await self.fill(places, waits: waits, level)
                return Self.response
            }
        } catch FetchError.overloaded {
            return count
        }
        return count
    }

    private func holding(_ count: Int, of places: AdmissionControl, _ body: () async throws -> Void) async throws {
        guard count > 0 else { return try await body() }
        _ = try await places.withPlace(waits: true, urgency: Urgency(.interactive)) { _ in
            try await self.holding(count - 1, of: places, body)
            return Self.response
        }
    }

    /// With four of each.
    private func makePlaces() -> AdmissionControl {
        var configuration = FetchConfiguration()
        (configuration.maxTransfers, configuration.maxWaiting) = (1, 1)
        (configuration.originLimits.maxFetches, configuration.originLimits.maxWaiting) = (1, 1)
        return AdmissionControl(configuration)
    }

    private static let response = FetchResponse(
        head: FetchResponseHead(status: 200, finalURL: ""), receivedByteCount: 0)
}
