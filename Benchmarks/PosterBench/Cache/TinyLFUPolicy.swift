/// W-TinyLFU as in Caffeine (Einziger, Friedman, Manes, "TinyLFU: A Highly Efficient Cache Admission Policy", ACM TOS
/// 13(4), 2017): an LRU window of 1 %, followed by a segmented LRU with 20 % on probation and 80 % protected. A key
/// from the window enters it if it was requested more often than the key it would evict.
///
/// Sizes: all shares are in bytes; the candidate meets one victim after the other until it fits or loses, as in
/// Caffeine. Omitted: the adaptation of the window, and the random admissions against attacks. Independent of the
/// service's implementation on purpose: agreement of the two confirms both.
struct TinyLFUPolicy: EvictionPolicy {
    private static let (window, probation, protected) = (0, 1, 2)

    private let bytes: [UInt32]
    private let windowBudget, mainBudget, protectedBudget: Int
    private var queues: KeyQueues
    private var sketch: KeyFrequencies

    init(budget: Int, bytes: [UInt32]) {
        self.bytes = bytes
        self.windowBudget = budget / 100
        self.mainBudget = budget - self.windowBudget
        self.protectedBudget = self.mainBudget / 5 * 4
        self.queues = KeyQueues(queueCount: 3, bytes: bytes)
        let mean = bytes.reduce(0) { $0 + Int($1) } / bytes.count
        self.sketch = KeyFrequencies(entryCount: budget / max(mean, 1))
    }

    mutating func request(_ key: Int) -> Bool {
        self.sketch.add(key)
        switch Int(self.queues.queue(of: key)) {
        case Self.window: self.queues.push(key, to: Self.window)
        case Self.probation: self.protect(key)
        case Self.protected: self.queues.push(key, to: Self.protected)
        default:
            self.queues.push(key, to: Self.window)
            while self.queues.costs[Self.window] > self.windowBudget, let oldest = self.queues.oldest(of: Self.window) {
                self.admit(oldest)
            }
            return false
        }
        return true
    }

    private mutating func protect(_ key: Int) {
        self.queues.push(key, to: Self.protected)
        while self.queues.costs[Self.protected] > self.protectedBudget,
            let oldest = self.queues.oldest(of: Self.protected)
        {
            self.queues.push(oldest, to: Self.probation)
        }
    }

    private mutating func admit(_ candidate: Int) {
        self.queues.remove(candidate)
        let cost = Int(self.bytes[candidate])
        guard cost <= self.mainBudget else { return }
        let frequency = self.sketch.frequency(of: candidate)
        while self.queues.costs[Self.probation] + self.queues.costs[Self.protected] + cost > self.mainBudget {
            let victim = self.queues.oldest(of: Self.probation) ?? self.queues.oldest(of: Self.protected)
            guard let victim, frequency > self.sketch.frequency(of: victim) else { return }
            self.queues.remove(victim)
        }
        self.queues.push(candidate, to: Self.probation)
    }
}
