/// Applies events from other nodes.
extension PosterPipeline: OriginalEventSubscriber {
    package func apply(_ event: OriginalEvent, at moment: Int64) async throws {
        // This node already has the new bytes, in most cases because it published the event.
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
        // Again, because a variant read from the store before its removal must not be cached afterwards.
        self.requireValidation(since: moment)
        self.variants.removeAll()
        self.planes.removeAll()
    }

    package func requireValidation(since moment: Int64) {
        self.library.metadata.requireValidation(since: moment)
    }

    /// Runs `body` once the gate is open, and a second time if meanwhile the original was forgotten or the gate was
    /// moved: a response after a reconnection reflects all missed events.
    func passing<Value>(_ gate: EventGate, for id: PosterID, _ body: () async throws -> Value) async throws -> Value {
        try await gate.pass()
        let epoch = self.library.metadata.epoch(of: id)
        let value = try await body()
        guard !gate.isOpen || self.library.metadata.isForgotten(id, since: epoch) else { return value }
        try await gate.pass()
        return self.library.metadata.isForgotten(id, since: epoch) ? try await body() : value
    }
}
