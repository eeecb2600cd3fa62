/// Evicts the least recently used entry first. Sizes: evicts until the new key fits.
struct LRUPolicy: EvictionPolicy {
    private let budget: Int
    private let bytes: [UInt32]
    private var queues: KeyQueues

    init(budget: Int, bytes: [UInt32]) {
        self.budget = budget
        self.bytes = bytes
        self.queues = KeyQueues(queueCount: 1, bytes: bytes)
    }

    mutating func request(_ key: Int) -> Bool {
        if self.queues.queue(of: key) == 0 {
            self.queues.push(key, to: 0)
            return true
        }
        let cost = Int(self.bytes[key])
        guard cost <= self.budget else { return false }
        while self.queues.costs[0] + cost > self.budget, let oldest = self.queues.oldest(of: 0) {
            self.queues.remove(oldest)
        }
        self.queues.push(key, to: 0)
        return false
    }
}
