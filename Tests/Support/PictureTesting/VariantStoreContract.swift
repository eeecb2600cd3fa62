import HTTPSemantics
import NIOCore
package import PosterCodec
package import PosterPipeline

/// A variant for a store, with bytes that no encoder made.
package struct TestVariant: Sendable {
    package let key: VariantKey
    package let poster: Poster

    /// - Parameters:
    ///   - seed: Seed of the original; different seeds give different bytes.
    ///   - byteCount: Size of the variant in bytes.
    package init(
        _ id: String = "mine:heat", width: Int = 40, seed: UInt64 = 1, byteCount: Int = 1000,
        format: OutputFormat = .webp, filling: UInt8? = nil
    ) throws {
        let bytes = LoadedBytes(copying: TestPicture.jpeg(width: 60, height: 90, seed: seed))
        let facts = OriginalFacts(
            digest: bytes.withUnsafeBytes { Digest(of: $0) }, header: try OriginalVerifier().verify(bytes))
        self.key = try VariantKey(
            id: try PosterID(id), facts: facts, target: RenderTarget(width: width, format: format))
        self.poster = Poster(
            bytes: ByteBuffer(bytes: (0..<byteCount).map { filling ?? UInt8(truncatingIfNeeded: $0 &* 31 &+ width) }),
            entityTag: self.key.entityTag(), format: format, size: self.key.framing.size)
    }
}

extension VariantStore {
    /// Stores a variant with an encoding cost of 30 ms by default.
    package func store(_ variant: TestVariant, milliseconds: UInt64 = 30, encoding: EncodingEffort = .first) {
        self.store(variant.poster, for: variant.key, cpuNanoseconds: milliseconds * 1_000_000, encoding: encoding)
    }

    /// Whether the store returns the variant unchanged.
    package func has(_ variant: TestVariant) async -> Bool {
        guard let found = await self.poster(for: variant.key)?.poster else { return false }
        return found.bytes == variant.poster.bytes && found.entityTag == variant.poster.entityTag
            && found.format == variant.poster.format && found.size == variant.poster.size
    }
}

/// Checks the contract of `VariantStore`, starting with an empty one.
///
/// - Parameter hasIndex: Whether the store can look up its keys without I/O.
/// - Returns: The violations, in sentences; empty for none.
package func checkContract(of store: some VariantStore, hasIndex: Bool = true) async throws -> [String] {
    var broken: [String] = []
    func check(_ isKept: Bool, _ promise: String) { if !isKept { broken.append(promise) } }

    let first = try TestVariant()
    let replacing = try TestVariant(seed: 2)
    let sizes = [try TestVariant(width: 41), try TestVariant(format: .jpeg)]
    let strangers = [try TestVariant("mine:ronin"), try TestVariant("other:heat")]
    check(await store.poster(for: first.key) == nil, "an empty store has nothing")
    store.store(first)
    let stored = await store.poster(for: first.key)
    check(store.isWorthReading(first.key), "what was stored is worth a read")
    check(store.mayContain(first.key) == hasIndex, "what was stored may be there")
    check(await store.has(first), "what was stored is read as it was, with its tag")
    check(stored?.cpuNanoseconds == 30_000_000 && stored?.encoding == .first, "with its cost and its effort")
    for other in [replacing] + sizes + strangers {
        check(await store.poster(for: other.key) == nil, "another key has nothing: \(other.key.name)")
        check(!store.mayContain(other.key), "and that is known without a read")
    }
    for other in sizes + strangers { store.store(other) }
    for variant in [first] + sizes + strangers {
        check(await store.has(variant), "each has its own: \(variant.key.name)")
    }

    let refined = try TestVariant(byteCount: 700)
    store.store(refined, milliseconds: 200, encoding: .refined)
    check(await store.has(refined), "a variant takes the place of the one with its key")
    check(await store.poster(for: first.key)?.encoding == .refined, "and says that it was encoded again")
    store.store(first)
    check(await store.has(refined), "one that was encoded again stays")

    store.removeAll(of: first.key.id, digest: replacing.key.digest)
    check(await store.has(refined), "removing variants of other bytes leaves those of these")
    store.removeAll(of: first.key.id, digest: first.key.digest)
    for gone in [refined] + sizes {
        check(await store.poster(for: gone.key) == nil, "variants of replaced bytes are gone: \(gone.key.name)")
    }
    store.store(replacing)
    check(await store.has(replacing), "those of the new bytes are stored")
    check(await store.poster(for: first.key) == nil, "and are not those of the old ones")
    store.removeAll(of: ["other"])
    check(await store.poster(for: strangers[1].key) == nil, "variants of a source are gone")
    await store.removeAll(of: first.key.id)
    check(await store.poster(for: replacing.key) == nil, "all variants of a poster are gone")
    check(await store.has(strangers[0]), "and those of another poster are not")
    store.store(first)
    check(await store.has(first), "and are stored again")
    return broken
}
