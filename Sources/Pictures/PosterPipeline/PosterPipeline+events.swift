/// What happens to originals on other nodes.
extension PosterPipeline: OriginalEventSubscriber {
    package func apply(_ event: OriginalEvent, at moment: Int64) async throws {
        // What this node has is what the event says, most often because it was the first to find that.
        if case .replaced(let id, _, let new) = event, self.library.metadata.entry(for: id)?.facts.digest == new {
            return
        }
        self.note(event, at: moment)
        try await self.remove(event.id, onlyHere: true)
    }

    package func note(_ event: OriginalEvent, at moment: Int64) {
        self.library.store.refuseShared(before: event, at: moment)
    }

    package func distrust(until moment: Int64) async {
        self.requireValidation(since: moment)
        await self.stored?.store.removeAllHere()
        // A variant that was read from the store before is not cached afterwards.
        self.requireValidation(since: moment)
        self.variants.removeAll()
        self.planes.removeAll()
    }

    package func requireValidation(since moment: Int64) {
        self.library.metadata.requireValidation(since: moment)
    }

    /// Runs `body` when the gate is open, and once more if the original was forgotten or the gate was moved meanwhile: what is
    /// answered after a reconnection is from after all missed events.
    func passing<Value>(_ gate: EventGate, for id: PosterID, _ body: () async throws -> Value) async throws -> Value {
        try await gate.pass()
        let epoch = self.library.metadata.epoch(of: id)
        let value = try await body()
        guard !gate.isOpen || self.library.metadata.isForgotten(id, since: epoch) else { return value }
        try await gate.pass()
        return self.library.metadata.isForgotten(id, since: epoch) ? try await body() : value
    }
}
