package import PosterCodec

/// Two stores of variants: what this node has is looked for first, and what it has not in the one that nodes share.
package struct LayeredVariantStore: VariantStore {
    /// This node's; nil without one.
    private let near: (any VariantStore)?
    private let shared: any VariantStore

    package init(near: (any VariantStore)?, shared: any VariantStore) {
        self.near = near
        self.shared = shared
    }

    /// Whether this node has it: what nodes share has no index here.
    package func mayContain(_ key: VariantKey) -> Bool { self.near?.mayContain(key) ?? false }

    package func isWorthReading(_ key: VariantKey) -> Bool { self.mayContain(key) || self.shared.isWorthReading(key) }

    /// What is found in the shared store is stored here, too.
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
