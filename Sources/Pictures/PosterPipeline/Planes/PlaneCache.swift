import BoundedCache
import PosterCodec
import Synchronization

/// Caches decoded planes of originals within a byte budget, so that a variant of another width needs no decode. Safe
/// from any thread.
///
/// Keyed by the original's digest: posters with the same bytes share planes. Frequently used planes, and planes
/// from slow decodes, stay; see ``TinyLFU``.
public final class PlaneCache: Sendable {
    /// The budget in bytes; 0 disables the cache and its bookkeeping.
    public let byteBudget: Int
    /// Memory for planes; keeps unused blocks up to an eighth of the budget for reuse.
    let pool: PlaneMemoryPool

    private struct State {
        var planes: ShardedCache<Digest, Entry>
        var byteLimit: Int
        /// Evictions of previous instances of ``planes``.
        var evictions = 0
        var reuse = PlaneReuse()
    }

    private struct Entry: Sendable {
        let planes: RetainedPlanes
        /// The poster that the planes were decoded for.
        let id: PosterID

        /// CPU time saved by a use, in nanoseconds per byte.
        var worth: Float { Float(max(1, self.planes.decodeNanoseconds)) / Float(max(1, self.planes.byteCount)) }
    }

    /// An entry may take at most this fraction of the limit, so that there is room for another.
    private static let leastCount = 2
    /// The fraction of the budget that ``pool`` may keep unused.
    private static let spareCount = 8

    private let state: Mutex<State>

    /// - Parameter byteBudget: In bytes; 0 disables the cache.
    public init(byteBudget: Int) {
        self.byteBudget = max(0, byteBudget)
        self.pool = PlaneMemoryPool(spareBytes: self.byteBudget / Self.spareCount)
        self.state = Mutex(State(planes: Self.cache(of: self.byteBudget), byteLimit: self.byteBudget))
    }

    /// A cache without the pool's share. One shard: entries are large, and look-ups are rare beside the renders that
    /// follow.
    private static func cache(of byteLimit: Int) -> ShardedCache<Digest, Entry> {
        ShardedCache(costLimit: byteLimit - byteLimit / Self.spareCount, shardCount: 1)
    }

    /// The number of originals with planes, and the memory of all planes with the pool's unused memory, in bytes.
    public var usage: (count: Int, bytes: Int) {
        let usage = self.state.withLock { $0.planes.usage }
        return (usage.count, usage.cost + self.pool.spareByteCount)
    }

    /// The current limit in bytes: the budget, or the last value passed to ``relieve(to:)``.
    public var byteLimit: Int { self.state.withLock { $0.byteLimit } }

    /// Maximum memory of the planes of one original, in bytes; 0 if the cache is disabled.
    var entryLimit: Int { self.byteBudget > 0 ? self.byteLimit / Self.leastCount : 0 }

    /// Evictions for lack of room since the start.
    public var evictionCount: Int { self.state.withLock { $0.evictions + $0.planes.evictionCount } }

    /// Sets the current limit in bytes, at most the budget; planes beyond it are evicted at once.
    public func relieve(to byteLimit: Int) {
        let byteLimit = min(max(0, byteLimit), self.byteBudget)
        let previous = self.state.withLock { state -> ShardedCache<Digest, Entry>? in
            guard state.byteLimit != byteLimit else { return nil }
            let (previous, next) = (state.planes, Self.cache(of: byteLimit))
            previous.removeAll { digest, entry in
                if next.usage.cost + entry.planes.byteCount <= next.costLimit {
                    next.insert(entry, for: digest, cost: entry.planes.byteCount, worth: entry.worth)
                }
                return false
            }
            state.evictions += previous.evictionCount + previous.usage.count - next.usage.count
            (state.planes, state.byteLimit) = (next, byteLimit)
            return previous
        }
        // Freed outside the lock.
        previous?.removeAll { _, _ in true }
        self.pool.trim()
    }

    /// Maps memory for the planes of a next original, within the pool's share, while all of the budget may be used.
    func prepareMemory() {
        if self.byteBudget > 0, self.byteLimit == self.byteBudget { self.pool.prepare() }
    }

    /// The planes of an original; counts as a use.
    func planes(of digest: Digest) -> RetainedPlanes? {
        guard self.byteBudget > 0 else { return nil }
        return self.state.withLock { $0.planes.value(for: digest)?.planes }
    }

    /// Caches planes, replacing others of the same original.
    /// - Parameter id: The poster that the planes were decoded for.
    /// - Returns: Whether they are cached.
    func insert(_ planes: RetainedPlanes, of digest: Digest, for id: PosterID) -> Bool {
        guard self.byteBudget > 0 else { return false }
        let entry = Entry(planes: planes, id: id)
        return self.state.withLock {
            $0.planes.insert(entry, for: digest, cost: planes.byteCount, worth: entry.worth)
        }
    }

    func noteDecode(of digest: Digest) {
        guard self.byteBudget > 0 else { return }
        self.state.withLock { $0.reuse.noteDecode(of: digest) }
    }

    /// Records that planes replaced a decode.
    func noteUse() {
        self.state.withLock { $0.reuse.noteUse() }
    }

    /// Retains planes of every decode from this call on, however rarely they are used.
    func keepAll() {
        self.state.withLock { $0.reuse.keepsAll = true }
    }

    /// Cost limit of a decode that retains planes, as a multiple of its cost without them; `nil` if it retains none.
    /// - Parameter digest: `nil` while the original arrives.
    func costFactor(for digest: Digest?) -> Double? {
        guard self.entryLimit > 0 else { return nil }
        return self.state.withLock { $0.reuse.costFactor(for: digest) }
    }

    func remove(_ digest: Digest) {
        guard self.byteBudget > 0 else { return }
        let removed = self.state.withLock { $0.planes.take(digest) }
        withExtendedLifetime(removed) {}
    }

    func removeAll(of id: PosterID) {
        self.removeAll { $0.id == id }
    }

    func removeAll(of sources: Set<String>) {
        self.removeAll { sources.contains($0.id.source) }
    }

    func removeAll() {
        self.removeAll { _ in true }
    }

    private func removeAll(where isUnwanted: @Sendable (Entry) -> Bool) {
        guard self.byteBudget > 0 else { return }
        self.state.withLock { state in state.planes.removeAll { isUnwanted($1) } }
    }
}
