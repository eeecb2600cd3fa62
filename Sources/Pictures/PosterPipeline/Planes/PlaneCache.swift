import BoundedCache
import PosterCodec
import Synchronization

/// Decoded planes of originals in memory, within a budget of bytes, so that a variant of another width needs no decode.
/// Safe from any thread.
///
/// By the digest of the original: posters of the same bytes share them. What is used often and what was slow to decode
/// stays; see ``TinyLFU``.
public final class PlaneCache: Sendable {
    /// The budget in bytes; with 0 nothing is kept, and nothing is done for it.
    public let byteBudget: Int
    /// Memory for planes, of which an eighth of the budget is kept while it is not used.
    let pool: PlaneMemoryPool

    private struct State {
        var planes: ShardedCache<Digest, Entry>
        /// What may be kept at present, in bytes.
        var byteLimit: Int
        /// Of the caches before.
        var evictions = 0
        var reuse = PlaneReuse()
    }

    private struct Entry: Sendable {
        let planes: RetainedPlanes
        /// The poster that they were decoded for.
        let id: PosterID

        /// What a use saves for each byte, in nanoseconds of CPU time.
        var worth: Float { Float(max(1, self.planes.decodeNanoseconds)) / Float(max(1, self.planes.byteCount)) }
    }

    /// An entry may take this part of the room, so that there is room for another one.
    private static let leastCount = 2
    /// The part of the budget that is kept while no planes are in it.
    private static let spareCount = 8

    private let state: Mutex<State>

    /// - Parameter byteBudget: In bytes; 0 keeps nothing.
    public init(byteBudget: Int) {
        self.byteBudget = max(0, byteBudget)
        self.pool = PlaneMemoryPool(spareBytes: self.byteBudget / Self.spareCount)
        self.state = Mutex(State(planes: Self.cache(of: self.byteBudget), byteLimit: self.byteBudget))
    }

    /// A cache without what the pool may keep. One shard: entries are large, and looks are rare beside the renders that
    /// follow.
    private static func cache(of byteLimit: Int) -> ShardedCache<Digest, Entry> {
        ShardedCache(costLimit: byteLimit - byteLimit / Self.spareCount, shardCount: 1)
    }

    /// The number of originals with planes, and the memory of these in bytes, with what is kept for the next.
    public var usage: (count: Int, bytes: Int) {
        let usage = self.state.withLock { $0.planes.usage }
        return (usage.count, usage.cost + self.pool.spareByteCount)
    }

    /// What may be kept at present, in bytes: the budget, or what ``relieve(to:)`` has left of it.
    public var byteLimit: Int { self.state.withLock { $0.byteLimit } }

    /// The most memory of the planes of one original, in bytes; 0 when nothing is kept at present.
    var entryLimit: Int { self.byteBudget > 0 ? self.byteLimit / Self.leastCount : 0 }

    /// Evictions for lack of room since the start.
    public var evictionCount: Int { self.state.withLock { $0.evictions + $0.planes.evictionCount } }

    /// Keeps no more than `byteLimit` bytes from now on, at most the budget; what has no room is dropped at once.
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

    /// The planes of an original, which counts as a use of them.
    func planes(of digest: Digest) -> RetainedPlanes? {
        guard self.byteBudget > 0 else { return nil }
        return self.state.withLock { $0.planes.value(for: digest)?.planes }
    }

    /// Keeps planes in place of others of the same original.
    /// - Parameter id: The poster that they were decoded for.
    /// - Returns: Whether they are kept.
    func insert(_ planes: RetainedPlanes, of digest: Digest, for id: PosterID) -> Bool {
        guard self.byteBudget > 0 else { return false }
        let entry = Entry(planes: planes, id: id)
        return self.state.withLock {
            $0.planes.insert(entry, for: digest, cost: planes.byteCount, worth: entry.worth)
        }
    }

    /// Notes that an original was decoded.
    func noteDecode(of digest: Digest) {
        guard self.byteBudget > 0 else { return }
        self.state.withLock { $0.reuse.noteDecode(of: digest) }
    }

    /// Notes that planes took the place of a decode.
    func noteUse() {
        self.state.withLock { $0.reuse.noteUse() }
    }

    /// Lets planes of every decode stay from now on, however seldom they are used.
    func keepAll() {
        self.state.withLock { $0.reuse.keepsAll = true }
    }

    /// What a decode may cost of which planes stay, by what it would cost otherwise; nil for none to stay.
    /// - Parameter digest: nil while the original arrives.
    func costFactor(for digest: Digest?) -> Double? {
        guard self.entryLimit > 0 else { return nil }
        return self.state.withLock { $0.reuse.costFactor(for: digest) }
    }

    /// Removes what was decoded of these bytes.
    func remove(_ digest: Digest) {
        guard self.byteBudget > 0 else { return }
        let removed = self.state.withLock { $0.planes.take(digest) }
        withExtendedLifetime(removed) {}
    }

    /// Removes what was decoded for a poster.
    func removeAll(of id: PosterID) {
        self.removeAll { $0.id == id }
    }

    /// Removes what was decoded for posters of these sources.
    func removeAll(of sources: Set<String>) {
        self.removeAll { sources.contains($0.id.source) }
    }

    /// Removes all planes.
    func removeAll() {
        self.removeAll { _ in true }
    }

    private func removeAll(where isUnwanted: @Sendable (Entry) -> Bool) {
        guard self.byteBudget > 0 else { return }
        self.state.withLock { state in state.planes.removeAll { isUnwanted($1) } }
    }
}
