public import PosterPipeline
import Synchronization

/// Originals in memory, verified like the disk's.
public final class MemoryOriginalStore: OriginalStore {
    private struct Entry {
        let location: OriginalLocation
        let original: Original
    }

    private let verifier: OriginalVerifier
    private let entries = Mutex<[PosterID: Entry]>([:])

    /// An empty store.
    public init(verifier: OriginalVerifier = OriginalVerifier()) {
        self.verifier = verifier
    }

    /// How many originals are stored.
    public var count: Int { self.entries.withLock { $0.count } }

    /// The original, if it is from `location`.
    public func original(_ id: PosterID, from location: OriginalLocation) async throws -> Original? {
        self.entries.withLock { $0[id].flatMap { $0.location == location ? $0.original : nil } }
    }

    /// A draft in memory.
    public func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft {
        MemoryOriginalDraft { bytes in
            let held = OriginalBytes(copying: bytes)
            let original = Original(
                id: id, digest: held.withUnsafeBytes { Digest(of: $0) }, header: try self.verifier.verify(held),
                bytes: held)
            self.entries.withLock { $0[id] = Entry(location: location, original: original) }
            return original
        }
    }

    /// Removes an original of that digest.
    public func remove(_ id: PosterID, digest: Digest) async {
        self.entries.withLock { if $0[id]?.original.digest == digest { $0[id] = nil } }
    }
}

private final class MemoryOriginalDraft: OriginalDraft {
    private let bytes = Mutex<[UInt8]>([])
    private let store: @Sendable ([UInt8]) throws -> Original

    init(store: @escaping @Sendable ([UInt8]) throws -> Original) {
        self.store = store
    }

    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        self.bytes.withLock { $0.append(contentsOf: bytes) }
        return true
    }

    func commit(_ description: OriginDescription) async throws -> Original {
        try self.store(self.bytes.withLock { $0 })
    }

    func discard() async {
        self.bytes.withLock { $0 = [] }
    }
}
