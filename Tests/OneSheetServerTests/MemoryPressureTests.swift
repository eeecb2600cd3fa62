import Logging
import PosterPipeline
import Synchronization
import Testing

@testable import OneSheetServer

@Suite struct MemoryPressureTests {
    private static let calm = 900, pressed = 901

    /// The planes' limit after each measurement of memory; `nil` if the measurement changes nothing.
    private func limits(_ looks: [Int], budget: Int = 100) -> [Int?] {
        var pressure = MemoryPressure(limit: 1000, budget: budget)
        return looks.map { pressure.look(residentBytes: $0) ? pressure.allowed : nil }
    }

    private func calmLooks(_ count: Int = MemoryPressure.calmLooks) -> [Int] {
        .init(repeating: Self.calm, count: count)
    }

    /// Calm measurements, until the last one changes the limit.
    private func unchanged(until limit: Int?) -> [Int?] {
        .init(repeating: nil, count: MemoryPressure.calmLooks - 1) + [limit]
    }

    @Test("nothing changes up to nine tenths of the limit")
    func isCalm() {
        #expect(self.limits([0, Self.calm, 10, Self.calm]) == [nil, nil, nil, nil])
    }

    @Test("planes are given up at once, and given back by halves")
    func returns() {
        let limits = self.limits(
            [Self.pressed] + self.calmLooks() + self.calmLooks() + self.calmLooks(), budget: 101)
        #expect(limits == [0] + self.unchanged(until: 50) + self.unchanged(until: 101) + self.unchanged(until: nil))
    }

    @Test("pressure that comes back gives them up again, and time without it is counted anew")
    func isPressedAgain() {
        let nearlyCalm = self.calmLooks(MemoryPressure.calmLooks - 1)
        let limits = self.limits(
            [Self.pressed] + nearlyCalm + [Self.pressed] + self.calmLooks() + [Self.pressed, Self.pressed])
        #expect(limits == [0] + nearlyCalm.map { _ in nil } + [0] + self.unchanged(until: 50) + [0, 0])
    }

    @Test("the cache follows, looked at every five seconds")
    func relieves() async throws {
        let planes = PlaneCache(byteBudget: 100)
        var script = [Self.calm, Self.pressed]
        script += Array(repeating: Self.calm, count: 2 * MemoryPressure.calmLooks)
        let looks = Looks(script)
        let service = MemoryPressure.service(
            planes, limit: 1000, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            residentBytes: { looks.next() },
            sleep: { duration in
                #expect(duration == .seconds(5))
                looks.note(planes.byteLimit)
                if looks.isDone { throw CancellationError() }
            })
        try await #require(service).run()
        let calm = MemoryPressure.calmLooks
        #expect(
            looks.limits == [100, 100] + Array(repeating: 0, count: calm) + Array(repeating: 50, count: calm) + [100])
    }

    @Test("without planes or a known limit nothing is looked at")
    func isLeftOut() {
        let logger = Logger(label: "test")
        let without = MemoryPressure.service(PlaneCache(byteBudget: 0), limit: 1000, logger: logger)
        let unknown = MemoryPressure.service(PlaneCache(byteBudget: 1), limit: nil, logger: logger)
        #expect(without == nil && unknown == nil)
    }

    /// Scripted memory measurements, and the cache's limit before each of them.
    private final class Looks: Sendable {
        private let state: Mutex<(script: [Int], limits: [Int])>

        init(_ script: [Int]) { self.state = Mutex((script, [])) }

        func next() -> Int { self.state.withLock { $0.script.removeFirst() } }

        func note(_ limit: Int) { self.state.withLock { $0.limits.append(limit) } }

        var isDone: Bool { self.state.withLock { $0.script.isEmpty } }

        var limits: [Int] { self.state.withLock { $0.limits } }
    }
}
