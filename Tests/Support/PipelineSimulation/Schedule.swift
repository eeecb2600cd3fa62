import PosterCodec
import PosterPipeline

/// One simulation: random operations on a node, in an order that the seed determines, and the rules that it must keep.
/// Used on one thread only.
final class Schedule: @unchecked Sendable {
    // Unchecked, as only the main thread uses it.

    /// Jobs after which a schedule without an end is given up.
    private static let jobLimit = 20_000
    static let posterCount = 3
    static let widths = [4, 8, 16]

    let machine: SimulatedMachine
    let settings: SimulatedNode.Settings
    let origin: SimulatedOrigin
    let clients: SimulatedClients
    let acknowledged: AcknowledgedState
    var node: SimulatedNode
    private var operationsLeft: Int
    /// Probability of an operation before a job.
    private let operationShare: Double
    /// Probability of an operation before the next timer ends, while no job is ready.
    private let waitingShare: Double
    let healthShare: Double
    /// Probability of a crash after an operation, while an original is being stored or removed.
    let changeCrashShare: Double
    /// The work of all its nodes.
    private(set) var counts = SimulationCounts()
    /// Descriptions of broken rules.
    private(set) var faults: [String] = []

    init(seed: UInt64, isTraced: Bool) {
        let machine = SimulatedMachine(seed: seed, isTraced: isTraced)
        machine.takeTasks()
        self.machine = machine
        self.settings = SimulatedNode.Settings(machine)
        self.origin = SimulatedOrigin(posterCount: Self.posterCount, machine: machine)
        self.clients = SimulatedClients(machine: machine)
        self.acknowledged = AcknowledgedState(posterCount: Self.posterCount, machine: machine)
        self.node = SimulatedNode(self.settings, machine, self.origin)
        self.operationsLeft = machine.number(10..<40)
        self.operationShare = machine.choice([0.02, 0.1, 0.4])
        self.waitingShare = machine.choice([0.3, 0.6, 1])
        self.healthShare = machine.choice([0, 0.05, 0.2])
        self.changeCrashShare = machine.choice([0, 0.2, 0.6])
        machine.preemptionShare = machine.choice([0, 0.05, 0.3])
        machine.latenessShare = machine.choice([0, 0.2, 0.7])
        self.machine.note("\(self.settings)")
    }

    /// Runs all operations until no work is left, and checks the final state.
    func run() {
        self.runUntilIdle()
        self.checkRemains()
        self.origin.settle()
        self.node.store.failureShare = 0
        self.node.gate?.move(to: .open)
        self.machine.advance(by: .seconds(SimulatedNode.failureSeconds + 1))
        let poster = self.machine.number(0..<Self.posterCount)
        self.checkRecovery(of: poster)
        if self.machine.chance(0.2) { self.checkWarming(of: poster) }
        self.node.pipeline.close()
        self.runUntilIdle()
        self.checkRemains()
        self.counts.add(self.node)
        self.faults += self.origin.faults
    }

    func fail(_ fault: String) {
        self.machine.note("FAULT " + fault)
        self.faults.append(fault)
    }

    private func runUntilIdle() {
        while self.machine.jobCount < Self.jobLimit {
            if self.operationsLeft > 0, self.isTimeForOperation {
                self.operationsLeft -= 1
                self.operate()
            } else if self.machine.hasReadyJob {
                self.machine.runJob()
                if self.node.isDecodingEarly { self.counts.hasDecodedEarly = true }
            } else if self.machine.hasTimer {
                self.machine.advanceToTimer()
            } else {
                break
            }
        }
        let count = self.clients.waitingCount
        if count > 0 { self.fail("\(count) clients wait for nothing; \(self.node.remains)") }
        self.clients.forgetAll()
    }

    /// Operations come between jobs, and while all work waits: at once, or after a part of the waits.
    private var isTimeForOperation: Bool {
        if self.machine.hasReadyJob { return self.machine.chance(self.operationShare) }
        return !self.machine.hasTimer || self.machine.chance(self.waitingShare)
    }

    // MARK: The final state

    private func checkRemains() {
        for remains in self.node.remains { self.fail("\(remains) left") }
        if self.origin.fetchCount > 0 { self.fail("\(self.origin.fetchCount) fetches left") }
    }

    /// After all faults have ended, a request gets the current version at once after a purge.
    private func checkRecovery(of poster: Int) {
        self.purge(poster)
        self.runUntilIdle()
        let target = RenderTarget(width: 4, format: .jpeg)
        if self.settings.queueLimit == 0 {
            // Without a queue, a render may be refused: the thread that described the original is not free at once.
            self.request(poster, target, allowing: .overload)
            self.runUntilIdle()
        }
        self.request(poster, target, allowing: .nothing)
        self.runUntilIdle()
    }

    /// A warm-up of a poster without variants makes all of them, and counts none as present.
    private func checkWarming(of poster: Int) {
        // By an event, which is applied also when the other nodes cannot be reached.
        self.receiveEvent(poster)
        self.runUntilIdle()
        self.request(poster, nil, allowing: .nothing)
        self.runUntilIdle()
        let share = self.machine.preemptionShare
        self.machine.preemptionShare = 0.5
        self.warm(poster, Self.widths.map { RenderTarget(width: $0, format: .jpeg) }, isMissing: true)
        self.runUntilIdle()
        self.machine.preemptionShare = share
    }

    /// The process ends, and another one starts with the files that are durable. Clients request all originals of it.
    func crash() {
        self.machine.note("crash")
        self.counts.add(self.node)
        self.acknowledged.crash()
        self.node.pipeline.close()
        self.clients.cancelAll()
        self.origin.forgetFetches()
        self.node = SimulatedNode(self.settings, self.machine, self.origin, after: self.node)
        let floor = self.acknowledged.validationFloor
        if floor > .min { self.node.pipeline.requireValidation(since: floor) }
        for poster in 0..<Self.posterCount { self.request(poster, nil, allowing: .faults) }
    }
}
