package import PosterCodec

/// Two levels of variant stores: this node's own, and one shared by all nodes, which is read after it.
package struct LayeredVariantStore: VariantStore {
    /// This node's store; `nil` without one.
    private let near: (any VariantStore)?
    private let shared: any VariantStore

    package init(near: (any VariantStore)?, shared: any VariantStore) {
        self.near = near
        self.shared = shared
    }

    /// Whether this node's store may contain the variant: the shared store has no local index.
    package func mayContain(_ key: VariantKey) -> Bool { self.near?.mayContain(key) ?? false }

    package func isWorthReading(_ key: VariantKey) -> Bool { self.mayContain(key) || self.shared.isWorthReading(key) }

    /// Copies a variant found in the shared store to this node's.
    package func poster(for key: VariantKey) async -> StoredVariant? {
        if let near, near.mayContain(key), let stored = await near.poster(for: key) { return stored }
        guard !Task.isCancelled, self.shared.isWorthReading(key), let stored = await self.shared.poster(for: key) else {
            return nil
        }
        self.near?.store(
            stored.poster, for: key, cpuNanoseconds: stored.cpuNanoseconds, encoding: stored.encoding)
        return stored
    }

    package func store(_ poster: Poster, for key: VariantKey, cpuNanoseconds: UInt64, encoding: EncodingEffort) {
        self.near?.store(poster, for: key, cpuNanoseconds: cpuNanoseconds, encoding: encoding)
        self.shared.store(poster, for: key, cpuNanoseconds: cpuNanoseconds, encoding: encoding)
    }

    package func removeAllHere() async {
        await self.near?.removeAllHere()
    }

    package func removeAll(of id: PosterID) async {
        async let here: Void? = self.near?.removeAll(of: id)
        await self.shared.removeAll(of: id)
        await here
    }

    package func removeAll(of id: PosterID, digest: Digest) {
        self.near?.removeAll(of: id, digest: digest)
        self.shared.removeAll(of: id, digest: digest)
    }

    package func removeAll(of sources: Set<String>) {
        self.near?.removeAll(of: sources)
        self.shared.removeAll(of: sources)
    }
}
