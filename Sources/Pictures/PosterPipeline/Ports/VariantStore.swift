package import PosterCodec

/// Stores variants that took much to render, beyond memory: the second level of the variant cache.
///
/// A key names the bytes of its original, so a variant of bytes that were replaced is never found under a current key.
package protocol VariantStore: Sendable {
    /// Whether a variant may be stored; false for nearly all that are not. Without I/O, and in less than a microsecond: hits in
    /// memory ask for it on event loops.
    func mayContain(_ key: VariantKey) -> Bool

    /// Whether a variant is to be looked for before it is rendered: also true where only a read can find out. Without I/O.
    func isWorthReading(_ key: VariantKey) -> Bool

    /// The stored variant, as it was given to ``store(_:for:cpuNanoseconds:encoding:)``; nil when there is none, when it
    /// is damaged or of another version of the codec (it is removed then), cannot be read now, or the task is cancelled.
    func poster(for key: VariantKey) async -> StoredVariant?

    /// Stores a variant in place of the one with the same key, unless that one was encoded again and this one not. In the
    /// background; it is dropped when others save more CPU time for each byte, and when too many wait to be written.
    ///
    /// Variants of other bytes of the poster's original may be removed.
    ///
    /// - Parameter cpuNanoseconds: The CPU time that a use of it saves.
    func store(_ poster: Poster, for key: VariantKey, cpuNanoseconds: UInt64, encoding: EncodingEffort)

    /// Removes all variants of a poster. When it returns none is found any more, nor after a restart.
    func removeAll(of id: PosterID) async

    /// Removes all variants of these bytes of a poster's original. None is found any more; their space is freed in the
    /// background.
    func removeAll(of id: PosterID, digest: Digest)

    /// Removes all variants of all posters of these sources, in the background.
    func removeAll(of sources: Set<String>)

    /// Removes all variants of this node; what nodes share stays. When it returns none is found any more, nor after a restart.
    func removeAllHere() async
}

extension VariantStore {
    /// As ``mayContain(_:)``, for a store that has an index.
    package func isWorthReading(_ key: VariantKey) -> Bool { self.mayContain(key) }
}

/// A variant of a ``VariantStore``.
package struct StoredVariant: Sendable {
    /// With the bytes and the entity tag that it was stored with.
    package let poster: Poster
    /// The CPU time that it took.
    package let cpuNanoseconds: UInt64
    /// Whether it was encoded again since it was first served.
    package let encoding: EncodingEffort

    package init(poster: Poster, cpuNanoseconds: UInt64, encoding: EncodingEffort) {
        self.poster = poster
        self.cpuNanoseconds = cpuNanoseconds
        self.encoding = encoding
    }
}

/// What is worth being stored.
package struct VariantStoreLimits: Hashable, Sendable {
    /// Variants that took no more CPU time are not stored, in nanoseconds; 20 ms by default.
    package var leastCPUNanoseconds: UInt64 = 20_000_000

    package init() {}
}
