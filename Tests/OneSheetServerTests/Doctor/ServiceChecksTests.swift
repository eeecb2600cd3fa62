import Dispatch
import Flights
import PosterTesting
import Synchronization
import Testing

@testable import OneSheetServer

@Suite(.timeLimit(.hang))
struct ServiceChecksTests {
    private static func check(_ name: String, _ text: String) -> ServiceCheck {
        ServiceCheck(name) { [CheckResult(.ok, "", text)] }
    }

    @Test func resultsAreInTheOrderOfTheChecks() async throws {
        let second = Gate()
        let checks = ServiceChecks([
            ServiceCheck("first") {
                try await second.wait()
                return [CheckResult(.ok, "", "1")]
            },
            ServiceCheck("second") {
                second.open()
                return [CheckResult(.warning, "", "2"), CheckResult(.failure, "", "3")]
            },
        ])
        var shown: [String] = []
        let all = try await checks.run { shown += $0.map(\.text) }
        #expect(shown == ["1", "2", "3"] && all.map(\.check) == ["first", "second", "second"])
    }

    @Test func aCheckThatFollowsAnotherBeginsAfterIt() async throws {
        let ended = Mutex(false)
        let first = ServiceCheck("first") {
            for _ in 0..<10 { await Task.yield() }
            ended.withLock { $0 = true }
            return []
        }
        let second = ServiceCheck("second") { [CheckResult(ended.withLock(\.self) ? .ok : .failure, "", "")] }
        let results = try await ServiceChecks(first.followed(by: second)).run()
        #expect(results.map(\.outcome) == [.ok] && results.map(\.check) == ["second"])
    }

    @Test func threadsThatHangLeaveRoomForOtherChecks() async throws {
        let release = DispatchSemaphore(value: 0)
        let hanging = (0..<2 * ServiceChecks.concurrency).map { _ in
            Task { try await Blocking.run { release.wait() } }
        }
        let other = ServiceCheck("other") { try await Blocking.run { [CheckResult(.ok, "", "done")] } }
        let results = try await ServiceChecks([other]).run()
        for _ in hanging { release.signal() }
        for task in hanging { try await task.value }
        #expect(results.map(\.text) == ["done"])
    }

    @Test func aCheckBeyondItsTimeLimitIsAFailureAndTheOthersContinue() async throws {
        let never = Gate()
        let checks = ServiceChecks([
            ServiceCheck("stuck", "here") {
                // Like a thread that waits for a hanging file system, it does not notice its cancellation.
                await Task { try? await never.wait() }.value
                return []
            },
            Self.check("other", "done"),
        ])
        let results = try await checks.run(within: .milliseconds(1))
        never.open()
        #expect(results[0].outcome == .failure && results[0].check == "stuck" && results[0].subject == "here")
        #expect(results[0].text.contains("no result within"))
        #expect(results.count == 2)
    }

    @Test func errorsOfACheckAreItsResult() async throws {
        struct Trouble: Error, CustomStringConvertible { let description = "no such thing" }
        let results = try await ServiceChecks([ServiceCheck("a") { throw Trouble() }]).run()
        #expect(results.map(\.text) == ["The check failed: no such thing."])
    }

    @Test func theNumberOfRunningChecksIsBounded() async throws {
        final class Load: Sendable {
            let counts = Mutex((running: 0, most: 0))
        }
        let (load, gate) = (Load(), Gate())
        let checks = (0..<3 * ServiceChecks.concurrency).map { number in
            ServiceCheck("\(number)") {
                let running = load.counts.withLock { counts in
                    counts.running += 1
                    counts.most = max(counts.most, counts.running)
                    return counts.running
                }
                if running == ServiceChecks.concurrency { gate.open() }
                try await gate.wait()
                load.counts.withLock { $0.running -= 1 }
                return []
            }
        }
        _ = try await ServiceChecks(checks).run()
        #expect(load.counts.withLock { $0.most } == ServiceChecks.concurrency)
    }

    @Test func cancellingEndsTheRun() async throws {
        let (begun, never) = (Gate(), Gate())
        let checks = ServiceChecks([
            ServiceCheck("waits") {
                begun.open()
                try await never.wait()
                return []
            }
        ])
        let run = Task { try await checks.run() }
        try await begun.wait()
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }
}
