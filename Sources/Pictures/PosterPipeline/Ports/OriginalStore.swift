/// Stores originals.
public protocol OriginalStore: Sendable {
    /// The stored original, verified, fresh or stale; nil when there is none, or another location's, or a damaged one
    /// (which is gone then).
    func original(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal?

    /// A place for the bytes of an original that is about to arrive.
    func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft

    /// Notes that an original of that digest is current until later; its bytes stay as they are. Of no effect when
    /// another one is stored by now.
    func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) async

    /// Forgets an original that turned out to be damaged, or is not to be shown any more. Another one stored meanwhile
    /// stays.
    func remove(_ id: PosterID, digest: Digest) async

    /// Forgets whatever is stored of an original.
    /// - Returns: Whether there was something.
    func purge(_ id: PosterID) async throws -> Bool

    /// Forgets whatever this node has stored of an original; what nodes share stays.
    /// - Returns: Whether there was something.
    func purgeHere(_ id: PosterID) async throws -> Bool

    /// Takes from what nodes share nothing that was there before an event on another node.
    /// - Parameter moment: When it happened, in seconds since 1970.
    func refuseShared(before event: OriginalEvent, at moment: Int64)
}

extension OriginalStore {
    /// All is this node's own.
    public func purgeHere(_ id: PosterID) async throws -> Bool { try await self.purge(id) }

    /// Nothing is shared.
    public func refuseShared(before event: OriginalEvent, at moment: Int64) {}
}

/// An original that is being written; invisible before it is committed.
public protocol OriginalDraft: AnyObject, Sendable {
    /// Notes how many bytes the origin says that it sends, before the first of them.
    func expect(byteCount: Int)

    /// Appends bytes; calls come one after another, from any thread. May block for a disk.
    /// - Returns: false when the bytes could not be kept; the draft is useless then.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// Forgets all that was appended, because it is sent again from the beginning.
    func restart() -> Bool

    /// Verifies what was written, and makes it visible. It may become durable later: a process that is killed before has
    /// not stored it.
    /// - Parameter declaredLength: What the origin said that it sends, in bytes; nil when it said nothing.
    /// - Throws: ``PosterError``, `CancellationError`; nothing is kept then.
    func commit(
        validators: Validators, freshness: Freshness, declaredLength: Int?
    ) async throws -> StoredOriginal

    /// Gives up what was written. Does nothing after a commit.
    func discard() async
}

extension OriginalDraft {
    /// Makes no difference.
    public func expect(byteCount: Int) {}
}
