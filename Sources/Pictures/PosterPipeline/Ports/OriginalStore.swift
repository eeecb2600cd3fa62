/// Stores originals.
public protocol OriginalStore: Sendable {
    /// The stored original, verified, fresh or stale; `nil` if there is none, it came from another location, or it is
    /// damaged (which removes it).
    func original(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal?

    func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft

    /// Updates the validators and freshness of an original; its bytes are unchanged. Has no effect if another digest is
    /// stored.
    func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) async

    /// Removes an original that is damaged or must not be served, if it has this digest.
    func remove(_ id: PosterID, digest: Digest) async

    /// Removes an original.
    /// - Returns: Whether one was stored.
    func purge(_ id: PosterID) async throws -> Bool

    /// Removes this node's copy of an original; the shared copy stays.
    /// - Returns: Whether one was stored.
    func purgeHere(_ id: PosterID) async throws -> Bool

    /// Refuses shared copies that are older than an event on another node.
    /// - Parameter moment: When the event happened, in seconds since 1970.
    func refuseShared(before event: OriginalEvent, at moment: Int64)
}

extension OriginalStore {
    /// As ``purge(_:)``: the store belongs to this node.
    public func purgeHere(_ id: PosterID) async throws -> Bool { try await self.purge(id) }

    /// Does nothing: the store is not shared.
    public func refuseShared(before event: OriginalEvent, at moment: Int64) {}
}

/// An original that is being written; invisible until it is committed.
public protocol OriginalDraft: AnyObject, Sendable {
    /// Announces the length declared by the origin, before the first bytes.
    func expect(byteCount: Int)

    /// Appends bytes; calls are sequential, from any thread. May block for disk I/O.
    /// - Returns: Whether the bytes were stored; otherwise the draft is unusable.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// Discards all appended bytes, because the origin sends them again from the beginning.
    func restart() -> Bool

    /// Verifies the bytes, and makes the original visible. It may become durable later: if the process is killed
    /// before, the original is lost.
    /// - Parameter declaredLength: The length declared by the origin, in bytes; `nil` if there was none.
    /// - Throws: ``PosterError``, `CancellationError`; nothing is stored then.
    func commit(
        validators: Validators, freshness: Freshness, declaredLength: Int?
    ) async throws -> StoredOriginal

    /// Discards the bytes. Does nothing after a commit.
    func discard() async
}

extension OriginalDraft {
    /// Does nothing.
    public func expect(byteCount: Int) {}
}
