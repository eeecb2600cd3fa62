import NIOCore
import Synchronization

/// Encoded variants in memory, within a budget of bytes; the least recently used go first. Safe from any thread.
///
/// The lock guards the list for a few loads and stores; what is evicted is freed after it is released.
public final class VariantCache: Sendable {
    /// What an entry costs beside its encoded bytes: key, tags, list and dictionary slots. An estimate that keeps
    /// many tiny variants from being free.
    static let entryOverhead = 512

    /// What the cache may hold, in bytes.
    public let byteBudget: Int

    private let state = Mutex(LRUState<VariantKey, Poster>())

    /// - Parameter byteBudget: In bytes; 0 keeps nothing.
    public init(byteBudget: Int) {
        self.byteBudget = byteBudget
    }

    /// The number of variants and what they cost in bytes, read together.
    public var usage: (count: Int, bytes: Int) {
        self.state.withLock { ($0.count, $0.cost) }
    }

    func poster(for key: VariantKey) -> Poster? {
        self.state.withLock { $0.touch(key) }
    }

    /// - Returns: Whether it is kept; a variant larger than the whole budget is not.
    @discardableResult
    func insert(_ poster: Poster, for key: VariantKey) -> Bool {
        // Capacity, not length: buffers grow to powers of two.
        let cost = poster.bytes.storageCapacity + Self.entryOverhead
        let dropped = self.state.withLock { $0.insert(poster, for: key, cost: cost, limit: self.byteBudget) }
        withExtendedLifetime(dropped) {}
        return cost <= self.byteBudget
    }
}
