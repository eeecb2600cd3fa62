import Flights
import HTTPSemantics
import PosterCodec
import PosterPipeline

/// One simulation: random operations on a node, in an order that the seed determines, and the rules that it must keep.
/// Used on one thread only.
final class Schedule: @unchecked Sendable {
    // Unchecked, as only the main thread uses it.

    private final class Client: @unchecked Sendable {
        var task: Task<Void, Never>?
        var isCancelled = false
        var hasEnded = false
    }

    /// Jobs after which a schedule without an end is given up.
    private static let jobLimit = 20_000
    private static let posterCount = 3
    private static let widths = [4, 8, 16]

    let machine: SimulatedMachine
    let settings: SimulatedNode.Settings
    let origin: SimulatedOrigin
    private var node: SimulatedNode
    /// The number of crashes.
    private var generation = 0
    private var operationsLeft: Int
    private let operationShare: Double
    private let healthShare: Double
    private var clients: [Client] = []
    /// By poster: the earliest version that no acknowledged purge has removed.
    private var leastVersions = [Int](repeating: 0, count: Schedule.posterCount)
    private var validationFloor = Int64.min
    /// By poster: responses of earlier clients.
    private var held = [[HeldBytes]](repeating: [], count: Schedule.posterCount)
    /// Descriptions of broken rules.
    private(set) var faults: [String] = []

    init(seed: UInt64, isTraced: Bool) {
        let machine = SimulatedMachine(seed: seed, isTraced: isTraced)
        machine.takeTasks()
        self.machine = machine
        self.settings = SimulatedNode.Settings(machine)
        self.origin = SimulatedOrigin(posterCount: Self.posterCount, machine: machine)
        self.node = SimulatedNode(self.settings, machine, self.origin)
        self.operationsLeft = machine.number(10..<60)
        self.operationShare = machine.choice([0.02, 0.1, 0.4])
        self.healthShare = machine.choice([0, 0.05, 0.2])
        machine.preemptionShare = machine.choice([0, 0.05, 0.3])
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
        for poster in 0..<Self.posterCount { self.checkRecovery(of: poster) }
        self.node.pipeline.close()
        self.runUntilIdle()
        self.checkRemains()
        self.faults += self.origin.faults
    }

    private func checkRemains() {
        for remains in self.node.remains { self.fail("\(remains) left") }
        if self.origin.fetchCount > 0 { self.fail("\(self.origin.fetchCount) fetches left") }
    }

    private func fail(_ fault: String) {
        self.machine.note("FAULT " + fault)
        self.faults.append(fault)
    }

    private func runUntilIdle() {
        while self.machine.jobCount < Self.jobLimit {
            if self.operationsLeft > 0, !self.machine.hasReadyJob || self.machine.chance(self.operationShare) {
                self.operationsLeft -= 1
                self.operate()
            } else if self.machine.hasReadyJob {
                self.machine.runJob()
            } else if self.machine.hasTimer {
                self.machine.advanceToTimer()
            } else {
                break
            }
        }
        let count = self.clients.count { !$0.hasEnded }
        if count > 0 { self.fail("\(count) clients wait for nothing; \(self.node.remains)") }
        self.clients = []
    }

    /// After all faults have ended, a request gets the current version at once after a purge.
    private func checkRecovery(of poster: Int) {
        self.purge(poster)
        self.runUntilIdle()
        // Without a queue, a render may be refused: the thread that described the original is not free at once.
        self.request(poster, RenderTarget(width: 4, format: .jpeg), mustSucceed: self.settings.queueLimit > 0)
        self.runUntilIdle()
    }

    // MARK: Operations

    private func operate() {
        let poster = self.machine.number(0..<Self.posterCount)
        switch self.machine.number(0..<100) {
        case 0..<45: self.request(poster, self.target(), mustSucceed: false)
        case 45..<58: self.leave()
        case 58..<66: self.passTime()
        case 66..<72: self.purge(poster)
        case 72..<78:
            self.machine.note("p\(poster) changes")
            self.origin.publish(poster)
        case 78..<82:
            let healths = self.machine.chance(self.healthShare) ? SimulatedOrigin.Health.allCases : [.sound]
            let health = self.machine.choice(healths)
            self.machine.note("p\(poster) is \(health)")
            self.origin.setHealth(health, of: poster)
        case 82..<85:
            self.machine.note("p\(poster) is evicted from the disk")
            self.node.store.evict(SimulatedOrigin.id(poster))
        case 85..<87:
            self.machine.note("p\(poster) is damaged on the disk")
            self.node.store.damage(SimulatedOrigin.id(poster))
        case 87..<90: self.describe(poster)
        case 90..<93: self.receiveEvent(poster)
        case 93..<95: self.distrust()
        case 95..<98: self.moveGate()
        default: if self.machine.chance(0.4) { self.crash() }
        }
    }

    private func target() -> RenderTarget? {
        if self.machine.chance(0.1) { return nil }
        return RenderTarget(
            width: self.machine.choice(Self.widths), format: self.machine.choice([.jpeg, .jpeg, .jpeg, .png]))
    }

    private func request(_ poster: Int, _ target: RenderTarget?, mustSucceed: Bool) {
        let check = ResponseCheck(
            poster: poster, target: target, held: self.held[poster], leastVersion: self.leastVersions[poster],
            start: self.machine.seconds,
            validationFloor: self.validationFloor)
        let level: Urgency.Level = self.machine.choice([.interactive, .interactive, .warming])
        let isConditional = !self.held[poster].isEmpty && self.machine.chance(0.3)
        let tag = isConditional ? self.machine.choice(self.held[poster]).tag : nil
        let query = PosterQuery(
            PosterRequest(id: SimulatedOrigin.id(poster), rendition: target.map { .variant($0) } ?? .original),
            level: mustSucceed ? .interactive : level,
            conditions: Preconditions(ifNoneMatch: tag?.description))
        let client = Client()
        let (number, generation, pipeline) = (self.clients.count, self.generation, self.node.pipeline)
        self.machine.note("client \(number) requests p\(poster) \(target?.width ?? 0) \(level)")
        client.task = Task {
            defer { client.hasEnded = true }
            do {
                let cached = try pipeline.cachedResponse(to: query)
                let response = if let cached { cached } else { try await pipeline.response(to: query) }
                self.machine.note("client \(number) gets \(response.provenance)")
                guard generation == self.generation else { return }
                if let held = HeldBytes(response, target) { self.held[poster].append(held) }
                for fault in check.faults(of: response, by: self.origin) { self.fail("client \(number) gets " + fault) }
            } catch {
                self.machine.note("client \(number) gets \(error)")
                guard generation == self.generation, !client.isCancelled else { return }
                if mustSucceed || !check.allows(error, by: self.origin, self.settings) {
                    self.fail("client \(number) fails: \(error)")
                }
            }
        }
        self.clients.append(client)
    }

    private func leave() {
        let waiting = self.clients.indices.filter { !self.clients[$0].hasEnded && !self.clients[$0].isCancelled }
        guard !waiting.isEmpty else { return }
        let number = self.machine.choice(waiting)
        self.machine.note("client \(number) leaves")
        self.clients[number].isCancelled = true
        self.clients[number].task?.cancel()
    }

    private func passTime() {
        // Between the reading of a clock and the use of it, a machine is not suspended for long.
        let durations = self.machine.hasReadyJob ? [10, 600] : [10, 600, 5000, 40_000, 150_000]
        let duration = Duration.milliseconds(self.machine.choice(durations))
        self.machine.note("\(duration) pass")
        self.machine.advance(by: duration)
    }

    private func purge(_ poster: Int) {
        let client = Client()
        let (least, generation, pipeline) = (self.origin.nextVersion(of: poster), self.generation, self.node.pipeline)
        self.machine.note("purge of p\(poster) before version \(least)")
        client.task = Task {
            defer { client.hasEnded = true }
            guard (try? await pipeline.purge(SimulatedOrigin.id(poster))) != nil else { return }
            self.acknowledge(least, of: poster, generation)
        }
        self.clients.append(client)
    }

    private func acknowledge(_ least: Int, of poster: Int, _ generation: Int) {
        guard generation == self.generation else { return }
        self.machine.note("purged p\(poster) before version \(least)")
        self.leastVersions[poster] = max(self.leastVersions[poster], least)
    }

    private func describe(_ poster: Int) {
        let client = Client()
        let pipeline = self.node.pipeline
        let id = SimulatedOrigin.id(poster)
        self.machine.note("description of p\(poster)")
        if self.machine.chance(0.5) { return pipeline.describeInBackground([id]) }
        client.task = Task {
            defer { client.hasEnded = true }
            let description = try? await pipeline.description(of: id)
            guard let description, let name = SimulatedPictures.name(of: description.digest) else { return }
            if name.poster != poster { self.fail("a description of p\(name.poster) for p\(poster)") }
        }
        self.clients.append(client)
    }

    /// Another node has purged the poster.
    private func receiveEvent(_ poster: Int) {
        let client = Client()
        let (least, generation, pipeline) = (self.origin.nextVersion(of: poster), self.generation, self.node.pipeline)
        let moment = self.machine.seconds
        self.machine.note("another node purges p\(poster) before version \(least)")
        client.task = Task {
            defer { client.hasEnded = true }
            guard (try? await pipeline.apply(.purged(SimulatedOrigin.id(poster)), at: moment)) != nil else { return }
            self.acknowledge(least, of: poster, generation)
        }
        self.clients.append(client)
    }

    private func distrust() {
        let client = Client()
        let (moment, generation, pipeline) = (self.machine.seconds, self.generation, self.node.pipeline)
        self.machine.note("events were missed")
        client.task = Task {
            defer { client.hasEnded = true }
            await pipeline.distrust(until: moment)
            if generation == self.generation { self.validationFloor = max(self.validationFloor, moment) }
        }
        self.clients.append(client)
    }

    private func moveGate() {
        let position: EventGate.Position = self.machine.choice([.open, .held, .refused])
        self.machine.note("the gate is \(position)")
        self.node.gate?.move(to: position)
    }

    /// The process ends, and another one starts with the files that are durable.
    private func crash() {
        self.machine.note("crash")
        self.generation += 1
        self.node.pipeline.close()
        for client in self.clients where !client.hasEnded {
            client.isCancelled = true
            client.task?.cancel()
        }
        self.origin.forgetFetches()
        self.node = SimulatedNode(self.settings, self.machine, self.origin, after: self.node)
        if self.validationFloor > .min { self.node.pipeline.requireValidation(since: self.validationFloor) }
    }
}
