public import PosterPipeline
import Synchronization

/// A store of originals in memory that verifies them as the disk store does.
public final class MemoryOriginalStore: OriginalStore {
    private struct Entry {
        let location: OriginalLocation
        var stored: StoredOriginal
    }

    private let verifier: OriginalVerifier
    private let entries = Mutex<[PosterID: Entry]>([:])

    /// Creates an empty store.
    public init(verifier: OriginalVerifier = OriginalVerifier()) {
        self.verifier = verifier
    }

    /// The number of stored originals.
    public var count: Int { self.entries.withLock { $0.count } }

    /// Returns the original if it is from `location`.
    public func original(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal? {
        self.entries.withLock { $0[id].flatMap { $0.location == location ? $0.stored : nil } }
    }

    /// Creates a draft in memory.
    public func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft {
        MemoryOriginalDraft { bytes, validators, freshness, declaredLength in
            if let declaredLength, declaredLength != bytes.count {
                throw PosterError.badOriginal(reason: "it declared \(declaredLength) bytes and sent \(bytes.count)")
            }
            let held = LoadedBytes(copying: bytes)
            let original = Original(
                id: id, digest: held.withUnsafeBytes { Digest(of: $0) }, header: try self.verifier.verify(held),
                bytes: .memory(held))
            let stored = StoredOriginal(
                original: original, validators: validators, freshness: freshness, storedAt: freshness.validatedAt)
            self.entries.withLock { $0[id] = Entry(location: location, stored: stored) }
            return stored
        }
    }

    /// Extends the freshness of an original if its digest matches.
    public func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) async {
        self.entries.withLock { entries in
            guard let stored = entries[id]?.stored, stored.original.digest == digest else { return }
            entries[id]?.stored = StoredOriginal(
                original: stored.original, validators: validators, freshness: freshness, storedAt: stored.storedAt)
        }
    }

    /// Removes an original if its digest matches.
    public func remove(_ id: PosterID, digest: Digest) async {
        self.entries.withLock { if $0[id]?.stored.original.digest == digest { $0[id] = nil } }
    }

    /// Removes an original.
    public func purge(_ id: PosterID) async throws -> Bool {
        self.entries.withLock { $0.removeValue(forKey: id) != nil }
    }
}

private final class MemoryOriginalDraft: OriginalDraft {
    typealias Store = @Sendable ([UInt8], Validators, Freshness, Int?) throws -> StoredOriginal

    private let bytes = Mutex<[UInt8]>([])
    private let store: Store

    init(store: @escaping Store) {
        self.store = store
    }

    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        self.bytes.withLock { $0.append(contentsOf: bytes) }
        return true
    }

    func restart() -> Bool {
        self.bytes.withLock { $0 = [] }
        return true
    }

    func commit(
        validators: Validators, freshness: Freshness, declaredLength: Int?
    ) async throws -> StoredOriginal {
        try self.store(self.bytes.withLock { $0 }, validators, freshness, declaredLength)
    }

    func discard() async {
        self.bytes.withLock { $0 = [] }
    }
}

extension LoadedBytes {
    /// Copies `bytes`.
    public convenience init(copying bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        copy.copyBytes(from: bytes)
        self.init(taking: copy)
    }
}
