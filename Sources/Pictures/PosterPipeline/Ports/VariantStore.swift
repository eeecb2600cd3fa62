package import PosterCodec

/// The second level of the variant cache: stores variants that were expensive to render.
///
/// A key contains the digest of the original, so a variant of replaced bytes is never found under a current key.
package protocol VariantStore: Sendable {
    /// Whether a variant may be stored; rarely true for one that is not. Without I/O, and in less than a microsecond:
    /// hits in memory call it on event loops.
    func mayContain(_ key: VariantKey) -> Bool

    /// Whether to read a variant before rendering it; also true if only a read can tell whether it exists. Without I/O.
    func isWorthReading(_ key: VariantKey) -> Bool

    /// The variant passed to ``store(_:for:cpuNanoseconds:encoding:)``. `nil` if there is none, if it is damaged or of
    /// another codec version (both remove it), if it cannot be read at present, or if the task is cancelled.
    func poster(for key: VariantKey) async -> StoredVariant?

    /// Stores a variant in the background. Replaces one with the same key, unless only that one is re-encoded. The
    /// variant is dropped if others save more CPU time per byte, or if too many writes are queued.
    ///
    /// May remove variants of other bytes of the original.
    ///
    /// - Parameter cpuNanoseconds: CPU time saved by a use.
    func store(_ poster: Poster, for key: VariantKey, cpuNanoseconds: UInt64, encoding: EncodingEffort)

    /// Removes all variants of a poster. On return none is found, not even after a restart.
    func removeAll(of id: PosterID) async

    /// Removes all variants of these bytes of an original. On return none is found; their space is freed in the
    /// background.
    func removeAll(of id: PosterID, digest: Digest)

    /// Removes all variants of all posters of these sources, in the background.
    func removeAll(of sources: Set<String>)

    /// Removes all variants of this node; shared ones stay. On return none is found, not even after a restart.
    func removeAllHere() async
}

extension VariantStore {
    /// Returns ``mayContain(_:)``, for a store with an index.
    package func isWorthReading(_ key: VariantKey) -> Bool { self.mayContain(key) }
}

package struct StoredVariant: Sendable {
    package let poster: Poster
    /// CPU time of its render.
    package let cpuNanoseconds: UInt64
    /// Whether it was re-encoded after it was first served.
    package let encoding: EncodingEffort

    package init(poster: Poster, cpuNanoseconds: UInt64, encoding: EncodingEffort) {
        self.poster = poster
        self.cpuNanoseconds = cpuNanoseconds
        self.encoding = encoding
    }
}

/// The minimum cost of stored variants.
package struct VariantStoreLimits: Hashable, Sendable {
    /// Variants that took no more CPU time, in nanoseconds, are not stored; 20 ms by default.
    package var leastCPUNanoseconds: UInt64 = 20_000_000

    package init() {}
}
