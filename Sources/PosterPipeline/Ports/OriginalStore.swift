/// Keeps originals.
public protocol OriginalStore: Sendable {
    /// The stored original, verified; nil when there is none, or another location's, or a damaged one (which is gone
    /// then).
    ///
    /// - Throws: ``PosterError``.
    func original(_ id: PosterID, from location: OriginalLocation) async throws -> Original?

    /// A place for the bytes of an original that is about to arrive.
    ///
    /// - Throws: ``PosterError/storageFailed(reason:)``.
    func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft

    /// Forgets an original that turned out to be damaged. Another one stored meanwhile stays.
    func remove(_ id: PosterID, digest: Digest) async
}

/// An original that is being written. Nobody can see it before it is committed.
public protocol OriginalDraft: AnyObject, Sendable {
    /// Appends bytes; calls come one after another, from any thread. May block for a disk.
    ///
    /// - Returns: false when the bytes could not be kept; the draft is useless then.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// Verifies what was written, makes it durable, and only then visible.
    ///
    /// - Throws: ``PosterError``; nothing is kept then.
    func commit(_ description: OriginDescription) async throws -> Original

    /// Gives up what was written. Does nothing after a commit.
    func discard() async
}
