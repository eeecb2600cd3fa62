import PosterCodec
import PosterPipeline

extension Schedule {
    /// Performs a random operation.
    func operate() {
        let poster = self.machine.number(0..<Self.posterCount)
        switch self.machine.number(0..<100) {
        case 0..<43: self.request(poster, self.target(), allowing: .faults)
        case 43..<45: self.warm(poster, Self.widths.map { RenderTarget(width: $0, format: .jpeg) }, isMissing: false)
        case 45..<58: self.clients.leave()
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
        if self.node.store.changeCount > 0, self.machine.chance(self.changeCrashShare) { self.crash() }
    }

    private func target() -> RenderTarget? {
        if self.machine.chance(0.1) { return nil }
        return RenderTarget(
            width: self.machine.choice(Self.widths), format: self.machine.choice([.jpeg, .jpeg, .jpeg, .png]))
    }

    private func passTime() {
        // Between the reading of a clock and the use of it, a machine is not suspended for long.
        let durations = self.machine.hasReadyJob ? [10, 600] : [600, 5000, 40_000, 70_000, 150_000]
        let duration = Duration.milliseconds(self.machine.choice(durations))
        self.machine.note("\(duration) pass")
        self.machine.advance(by: duration)
    }

    /// Purges a poster on all nodes.
    func purge(_ poster: Int) {
        self.remove(poster, "purges") { pipeline, id in try await pipeline.purge(id) }
    }

    /// Another node has purged the poster.
    func receiveEvent(_ poster: Int) {
        let moment = self.machine.seconds
        self.remove(poster, "receives a purge of") { pipeline, id in
            try await pipeline.apply(.purged(id), at: moment)
        }
    }

    private func remove(
        _ poster: Int, _ verb: String,
        _ body: @escaping @Sendable (PosterPipeline, PosterID) async throws -> Void
    ) {
        let (generation, pipeline) = (self.acknowledged.generation, self.node.pipeline)
        let least = self.origin.nextVersion(of: poster)
        self.clients.start("\(verb) p\(poster) before version \(least)") { _ in
            guard (try? await body(pipeline, SimulatedOrigin.id(poster))) != nil else { return }
            self.acknowledged.purged(poster, before: least, generation)
        }
    }

    private func distrust() {
        let (generation, pipeline) = (self.acknowledged.generation, self.node.pipeline)
        let moment = self.machine.seconds
        self.clients.start("has missed events") { _ in
            await pipeline.distrust(until: moment)
            self.acknowledged.distrusted(until: moment, generation)
        }
    }

    private func moveGate() {
        let position: EventGate.Position = self.machine.choice([.open, .held, .refused])
        self.machine.note("the gate is \(position)")
        self.node.gate?.move(to: position)
    }
}
