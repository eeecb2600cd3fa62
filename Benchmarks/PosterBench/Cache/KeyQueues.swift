/// Doubly linked queues of keys with their sizes; each key is in at most one.
struct KeyQueues {
    private struct Link {
        var newer, older: Int32
    }

    /// The queue of a key that is in none.
    static let nowhere: UInt8 = .max

    private let queueCount: Int
    private let bytes: [UInt32]
    /// Rings; the first links belong to the queues, the others to the keys.
    private var links: [Link]
    private var queueOfKey: [UInt8]
    private(set) var costs: [Int]

    init(queueCount: Int, bytes: [UInt32]) {
        self.queueCount = queueCount
        self.bytes = bytes
        self.links = (0..<queueCount + bytes.count).map { Link(newer: Int32($0), older: Int32($0)) }
        self.queueOfKey = [UInt8](repeating: Self.nowhere, count: bytes.count)
        self.costs = [Int](repeating: 0, count: queueCount)
    }

    func queue(of key: Int) -> UInt8 {
        self.queueOfKey[key]
    }

    func oldest(of queue: Int) -> Int? {
        let slot = Int(self.links[queue].newer)
        return slot == queue ? nil : slot - self.queueCount
    }

    func newer(than key: Int) -> Int? {
        let slot = Int(self.links[key + self.queueCount].newer)
        return slot < self.queueCount ? nil : slot - self.queueCount
    }

    /// Makes `key` the newest of `queue`, removing it from its present queue.
    mutating func push(_ key: Int, to queue: Int) {
        self.remove(key)
        let slot = key + self.queueCount
        let newest = self.links[queue].older
        self.links[slot] = Link(newer: Int32(queue), older: newest)
        self.links[Int(newest)].newer = Int32(slot)
        self.links[queue].older = Int32(slot)
        self.queueOfKey[key] = UInt8(queue)
        self.costs[queue] += Int(self.bytes[key])
    }

    mutating func remove(_ key: Int) {
        let queue = self.queueOfKey[key]
        guard queue != Self.nowhere else { return }
        let link = self.links[key + self.queueCount]
        self.links[Int(link.newer)].older = link.older
        self.links[Int(link.older)].newer = link.newer
        self.queueOfKey[key] = Self.nowhere
        self.costs[Int(queue)] -= Int(self.bytes[key])
    }
}
