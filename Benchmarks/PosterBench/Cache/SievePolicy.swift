/// SIEVE (Zhang et al., "SIEVE is Simpler than LRU", NSDI 2024): a queue and a hand that moves from old to new, clears
/// the mark of used keys and evicts unmarked ones. Sizes: the hand evicts until the new key fits.
struct SievePolicy: EvictionPolicy {
    private let budget: Int
    private let bytes: [UInt32]
    private var queues: KeyQueues
    private var isUsed: [Bool]
    /// `nil` at the oldest key.
    private var hand: Int?

    init(budget: Int, bytes: [UInt32]) {
        self.budget = budget
        self.bytes = bytes
        self.queues = KeyQueues(queueCount: 1, bytes: bytes)
        self.isUsed = [Bool](repeating: false, count: bytes.count)
    }

    mutating func request(_ key: Int) -> Bool {
        if self.queues.queue(of: key) == 0 {
            self.isUsed[key] = true
            return true
        }
        let cost = Int(self.bytes[key])
        guard cost <= self.budget else { return false }
        while self.queues.costs[0] + cost > self.budget { self.evict() }
        self.isUsed[key] = false
        self.queues.push(key, to: 0)
        return false
    }

    private mutating func evict() {
        guard var key = self.hand ?? self.queues.oldest(of: 0) else { return }
        while self.isUsed[key] {
            self.isUsed[key] = false
            guard let next = self.queues.newer(than: key) ?? self.queues.oldest(of: 0) else { return }
            key = next
        }
        self.hand = self.queues.newer(than: key)
        self.queues.remove(key)
    }
}
