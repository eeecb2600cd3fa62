/// S3-FIFO (Yang et al., "FIFO Queues are All You Need for Cache Eviction", SOSP 2023): a small queue of 10 % for new
/// keys, and a main queue for keys that were used more than once in the small one or are remembered as ghosts.
///
/// Sizes: all shares are in bytes; evicts until the new key fits; keeps ghosts while their bytes fit the main queue's
/// share.
struct S3FIFOPolicy: EvictionPolicy {
    private static let (small, main, ghosts) = (0, 1, 2)
    private static let mostUses: UInt8 = 3

    private let budget: Int
    private let bytes: [UInt32]
    private var queues: KeyQueues
    private var uses: [UInt8]

    init(budget: Int, bytes: [UInt32]) {
        self.budget = budget
        self.bytes = bytes
        self.queues = KeyQueues(queueCount: 3, bytes: bytes)
        self.uses = [UInt8](repeating: 0, count: bytes.count)
    }

    mutating func request(_ key: Int) -> Bool {
        let queue = Int(self.queues.queue(of: key))
        if queue == Self.small || queue == Self.main {
            self.uses[key] = min(self.uses[key] + 1, Self.mostUses)
            return true
        }
        let cost = Int(self.bytes[key])
        guard cost <= self.budget else { return false }
        self.queues.remove(key)
        while self.queues.costs[Self.small] + self.queues.costs[Self.main] + cost > self.budget { self.evict() }
        self.uses[key] = 0
        self.queues.push(key, to: queue == Self.ghosts ? Self.main : Self.small)
        return false
    }

    private mutating func evict() {
        let main = self.queues.oldest(of: Self.main)
        if let key = self.queues.oldest(of: Self.small),
            main == nil || self.queues.costs[Self.small] >= self.budget / 10
        {
            if self.uses[key] > 1 {
                self.uses[key] = 0
                self.queues.push(key, to: Self.main)
            } else {
                self.queues.push(key, to: Self.ghosts)
                while self.queues.costs[Self.ghosts] > self.budget / 10 * 9,
                    let oldest = self.queues.oldest(of: Self.ghosts)
                {
                    self.queues.remove(oldest)
                }
            }
        } else if let main {
            if self.uses[main] > 0 {
                self.uses[main] -= 1
                self.queues.push(main, to: Self.main)
            } else {
                self.queues.remove(main)
            }
        }
    }
}
