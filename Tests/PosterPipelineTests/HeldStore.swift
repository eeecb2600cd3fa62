import Flights
import PictureTesting
import PosterPipeline

/// A memory store that delays commits until a gate opens.
final class HeldStore: OriginalStore {
    let memory = MemoryOriginalStore()
    /// Opens when the first commit waits.
    let reached = Gate()
    private let gate: Gate

    init(gate: Gate) {
        self.gate = gate
    }

    func original(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal? {
        try await self.memory.original(id, from: location)
    }

    func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft {
        Draft(draft: try await self.memory.makeDraft(for: id, from: location), reached: self.reached, gate: self.gate)
    }

    func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) async {
        await self.memory.refresh(id, digest: digest, validators: validators, freshness: freshness)
    }

    func remove(_ id: PosterID, digest: Digest) async {
        await self.memory.remove(id, digest: digest)
    }

    func purge(_ id: PosterID) async throws -> Bool {
        try await self.memory.purge(id)
    }

    private final class Draft: OriginalDraft {
        let draft: any OriginalDraft
        let reached: Gate
        let gate: Gate

        init(draft: any OriginalDraft, reached: Gate, gate: Gate) {
            self.draft = draft
            self.reached = reached
            self.gate = gate
        }

        func append(_ bytes: UnsafeRawBufferPointer) -> Bool { self.draft.append(bytes) }
        func restart() -> Bool { self.draft.restart() }
        func discard() async { await self.draft.discard() }

        func commit(
            validators: Validators, freshness: Freshness, declaredLength: Int?
        ) async throws -> StoredOriginal {
            self.reached.open()
            try await self.gate.wait()
            return try await self.draft.commit(
                validators: validators, freshness: freshness, declaredLength: declaredLength)
        }
    }
}
