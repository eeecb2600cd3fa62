import Flights
import HTTPSemantics
import PosterCodec

@testable import PosterPipeline

extension Schedule {
    /// The errors that a request may get.
    enum Allowance {
        /// Errors of the origin's and the store's faults so far.
        case faults
        /// A refusal, as no thread is free.
        case overload
        case nothing
    }

    /// A client requests a variant; `nil` is the original.
    func request(_ poster: Int, _ target: RenderTarget?, allowing allowance: Allowance) {
        let check = self.acknowledged.check(poster, target)
        let level: Urgency.Level = self.machine.choice([.interactive, .interactive, .warming])
        let isConditional = !check.held.isEmpty && self.machine.chance(0.3)
        let tag = isConditional ? self.machine.choice(check.held).tag : nil
        let query = PosterQuery(
            PosterRequest(id: SimulatedOrigin.id(poster), rendition: target.map { .variant($0) } ?? .original),
            level: allowance == .faults ? level : .interactive,
            conditions: Preconditions(ifNoneMatch: tag?.description))
        let (generation, pipeline) = (self.acknowledged.generation, self.node.pipeline)
        self.clients.start("requests p\(poster) \(target?.width ?? 0) \(level)") { client in
            do {
                let cached = try pipeline.cachedResponse(to: query)
                let response = if let cached { cached } else { try await pipeline.response(to: query) }
                self.machine.note("client \(client.number) gets \(response.provenance)")
                guard generation == self.acknowledged.generation else { return }
                if let held = HeldBytes(response, target) { self.acknowledged.hold(held, of: poster) }
                for fault in check.faults(of: response, by: self.origin) {
                    self.fail("client \(client.number) gets " + fault)
                }
            } catch {
                self.machine.note("client \(client.number) gets \(error)")
                guard generation == self.acknowledged.generation, !client.isCancelled else { return }
                if !self.allows(error, check, allowance) { self.fail("client \(client.number) fails: \(error)") }
            }
        }
    }

    private func allows(_ error: any Error, _ check: ResponseCheck, _ allowance: Allowance) -> Bool {
        switch allowance {
        case .faults: return check.allows(error, by: self.origin, self.settings)
        case .overload:
            guard case .overloaded = error as? PosterError else { return false }
            return true
        case .nothing: return false
        }
    }

    /// A warm-up makes variants of a poster.
    /// - Parameter isMissing: Whether none of them is in memory, and no other client is served.
    func warm(_ poster: Int, _ targets: [RenderTarget], isMissing: Bool) {
        let id = SimulatedOrigin.id(poster)
        let check = self.acknowledged.check(poster, nil)
        let (generation, pipeline) = (self.acknowledged.generation, self.node.pipeline)
        self.clients.start("warms \(targets.count) variants of p\(poster)") { client in
            let requests = targets.map { PosterRequest(id: id, rendition: .variant($0)) }
            guard let results = try? await pipeline.warm(id, requests) else {
                if generation == self.acknowledged.generation, !client.isCancelled { self.fail("a warm-up fails") }
                return
            }
            self.machine.note("client \(client.number) gets \(results)")
            guard generation == self.acknowledged.generation, !client.isCancelled else { return }
            if results.count != targets.count { self.fail("a warm-up has \(results.count) results") }
            for result in results {
                switch result {
                case .success(let isMade):
                    if isMissing, !isMade { self.fail("a warmed variant counts as present") }
                case .failure(let error):
                    if !check.allows(error, by: self.origin, self.settings) { self.fail("a warm-up fails: \(error)") }
                }
            }
        }
    }

    /// A client requests the description of a poster, or a list of films queues it for later.
    func describe(_ poster: Int) {
        let (id, pipeline) = (SimulatedOrigin.id(poster), self.node.pipeline)
        if self.machine.chance(0.5) {
            self.machine.note("description of p\(poster) in the background")
            return pipeline.describeInBackground([id])
        }
        self.clients.start("requests the description of p\(poster)") { _ in
            let description = try? await pipeline.description(of: id)
            guard let description, let name = SimulatedPictures.name(of: description.digest) else { return }
            if name.poster != poster { self.fail("a description of p\(name.poster) for p\(poster)") }
        }
    }
}
