package import Flights
package import PosterCodec
package import PosterPipeline
import PosterTesting

/// A store of variants in memory that records its calls; a gate can hold up reads.
package final class MemoryVariantStore: VariantStore {
    private struct State {
        var variants: [VariantKey: StoredVariant] = [:]
        var lookups = 0
        var removals: [String] = []
        var hold: Gate?
        var isVanishing = false
    }

    private let state = AwaitedState(State())

    private let hasIndex: Bool

    /// - Parameter hasIndex: Whether the store can look up its keys without a read.
    package init(hasIndex: Bool = true) {
        self.hasIndex = hasIndex
    }

    package var count: Int { self.state.value.variants.count }
    package var lookupCount: Int { self.state.value.lookups }
    /// The removed variants in order: ids, with the digest if one was given, and sources.
    package var removals: [String] { self.state.value.removals }
    package var variants: [VariantKey: StoredVariant] { self.state.value.variants }

    /// Holds up reads until a gate is opened.
    package func hold(_ gate: Gate) { self.state.change { $0.hold = gate } }

    /// Makes reads find nothing although the index still contains the variants, as with damaged files.
    package func vanish() { self.state.change { $0.isVanishing = true } }

    /// Returns once `count` reads have begun.
    package func lookupsArrived(_ count: Int) async throws { try await self.state.wait { $0.lookups >= count } }

    package func mayContain(_ key: VariantKey) -> Bool {
        self.hasIndex && self.state.value.variants[key] != nil
    }

    package func isWorthReading(_ key: VariantKey) -> Bool { !self.hasIndex || self.mayContain(key) }

    package func poster(for key: VariantKey) async -> StoredVariant? {
        let (found, hold) = self.state.change { state in
            state.lookups += 1
            return (state.isVanishing ? nil : state.variants[key], state.hold)
        }
        do { try await hold?.wait() } catch { return nil }
        return found
    }

    package func store(_ poster: Poster, for key: VariantKey, cpuNanoseconds: UInt64, encoding: EncodingEffort) {
        self.state.change { state in
            guard state.variants[key]?.encoding != .refined || encoding == .refined else { return }
            state.variants[key] = StoredVariant(poster: poster, cpuNanoseconds: cpuNanoseconds, encoding: encoding)
        }
    }

    package func removeAll(of id: PosterID) async {
        self.remove("\(id)") { $0.id == id }
    }

    package func removeAll(of id: PosterID, digest: Digest) {
        self.remove("\(id) \(digest)") { $0.id == id && $0.digest == digest }
    }

    package func removeAll(of sources: Set<String>) {
        self.remove(sources.sorted().joined(separator: ",")) { sources.contains($0.id.source) }
    }

    package func removeAllHere() async {
        self.remove("all") { _ in true }
    }

    private func remove(_ name: String, where isUnwanted: @Sendable (VariantKey) -> Bool) {
        self.state.change { state in
            state.removals.append(name)
            state.variants = state.variants.filter { !isUnwanted($0.key) }
        }
    }
}
