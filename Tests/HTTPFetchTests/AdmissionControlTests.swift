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

    @Test func theLastQuarterIsForInteractiveFetches() {
        let control = self.makeControl()
        #expect(self.fill(control, waits: true, .warming) == 3)
        #expect(self.fill(control, waits: true, .interactive) == 4)
        #expect(self.fill(control, waits: false, .revalidation) == 3)
        #expect(self.fill(control, waits: false, .interactive) == 4)
    }

    @Test func aFetchThatNeedNotWaitIsAdmittedWhenTooManyWait() throws {
        let control = self.makeControl()
        let waiting = try (0..<4).map { _ in try control.admit(waits: true, urgency: Urgency(.interactive)) }
        #expect(throws: FetchError.overloaded(retryAfter: .seconds(1))) {
            try control.admit(waits: true, urgency: Urgency(.interactive))
        }
        let running = try control.admit(waits: false, urgency: Urgency(.interactive))
        try running.start()
        for permit in waiting + [running] { permit.release() }
    }

    @Test func aFetchThatHasStartedWaitsNoLonger() throws {
        let control = self.makeControl()
        let permit = try control.admit(waits: true, urgency: Urgency(.interactive))
        try permit.start()
        #expect(self.fill(control, waits: true, .interactive) == 4)
        permit.release()
        #expect(self.fill(control, waits: false, .interactive) == 4)
    }

    /// The number of fetches of this level that are admitted at once; all are released again.
    private func fill(_ control: AdmissionControl, waits: Bool, _ level: Urgency.Level) -> Int {
        var permits: [AdmissionControl.Permit] = []
        defer { for permit in permits { permit.release() } }
        while permits.count < 10 {
            do {
                let permit = try control.admit(waits: waits, urgency: Urgency(level))
                if !waits { try permit.start() }
                permits.append(permit)
            } catch {
                #expect(error == .overloaded(retryAfter: .seconds(1)))
                break
            }
        }
        return permits.count
    }

    /// A control with the minimum bounds: four running and four waiting fetches.
    private func makeControl() -> AdmissionControl {
        var configuration = FetchConfiguration()
        (configuration.maxTransfers, configuration.maxWaiting) = (1, 1)
        (configuration.originLimits.maxFetches, configuration.originLimits.maxWaiting) = (1, 1)
        return AdmissionControl(configuration)
    }
}
