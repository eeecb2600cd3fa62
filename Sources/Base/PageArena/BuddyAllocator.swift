/// Divides a range of addresses into blocks of a power of two of units: the binary buddy system (Knuth, TAOCP 1, 2.5,
/// algorithms R and S). A plain value without a lock, which only does arithmetic.
///
/// Blocks are at multiples of their size. A freed block is merged with its buddy, the other half of the next larger
/// block, while that is free, too: once everything is free, only blocks of the largest size are left. An allocation and
/// its release are O(``topOrder``).
struct BuddyAllocator {
    /// The size of the smallest block, in bytes.
    static let unit = 16 << 10
    /// The largest block has 2^10 units: 16 MiB.
    static let topOrder = 10
    /// The size of the largest block, in bytes.
    static let largestBlock = BuddyAllocator.unit << BuddyAllocator.topOrder

    /// The first unit of a block; meaningless for the others.
    private struct Block {
        /// Neighbours in the list of free blocks of the same order; ``BuddyAllocator/none`` at its ends.
        var next = BuddyAllocator.none
        var previous = BuddyAllocator.none
        var order: UInt8 = 0
        var isFree = false
        /// The bytes in use; 0 for a free block.
        var byteCount: UInt32 = 0
    }

    private static let none = UInt32.max

    /// The size of the range in bytes, a multiple of ``largestBlock``.
    let capacity: Int
    /// The sum of the allocations' lengths, in bytes.
    private(set) var usedByteCount = 0
    /// By unit, up to the end of the part of the range that has been used so far.
    private var blocks: [Block] = []
    /// The first free block of each order.
    private var free = [UInt32](repeating: BuddyAllocator.none, count: BuddyAllocator.topOrder + 1)

    /// - Parameter capacity: In bytes; rounded down to a multiple of ``largestBlock``.
    init(capacity: Int) {
        self.capacity = capacity / Self.largestBlock * Self.largestBlock
    }

    /// The size of the part of the range that has been used so far, in bytes.
    var reachedByteCount: Int { self.blocks.count * Self.unit }

    /// - Parameter byteCount: At least 1.
    /// - Returns: The offset of a free block for that many bytes, which is in use now; `nil` if there is none.
    mutating func allocate(_ byteCount: Int) -> Int? {
        precondition(byteCount > 0, "byteCount must be at least 1")
        guard byteCount <= Self.largestBlock, let found = self.freeOrder(from: Self.order(of: byteCount)) else {
            return nil
        }
        let order = Self.order(of: byteCount)
        let start = Int(self.free[found])
        self.unlink(start)
        // The upper half becomes free at each step down.
        for half in (order..<found).reversed() { self.link(start + 1 << half, order: half) }
        self.blocks[start].order = UInt8(order)
        self.blocks[start].byteCount = UInt32(byteCount)
        self.usedByteCount += byteCount
        return start * Self.unit
    }

    /// The length of an allocation, in bytes.
    /// - Parameter offset: From ``allocate(_:)``, and not freed since.
    func byteCount(at offset: Int) -> Int {
        let count = Int(self.blocks[offset / Self.unit].byteCount)
        precondition(count > 0 && offset.isMultiple(of: Self.unit), "no block is allocated at \(offset)")
        return count
    }

    /// - Parameter offset: From ``allocate(_:)``, and not freed since.
    mutating func free(_ offset: Int) {
        self.usedByteCount -= self.byteCount(at: offset)
        var start = offset / Self.unit
        var order = Int(self.blocks[start].order)
        self.blocks[start].byteCount = 0
        while order < Self.topOrder {
            let buddy = start ^ (1 << order)
            guard self.blocks[buddy].isFree, self.blocks[buddy].order == order else { break }
            self.unlink(buddy)
            start = min(start, buddy)
            order += 1
        }
        self.link(start, order: order)
    }

    /// The order of the smallest block for a number of bytes.
    private static func order(of byteCount: Int) -> Int {
        let units = (byteCount + Self.unit - 1) / Self.unit
        return Int.bitWidth - (units - 1).leadingZeroBitCount
    }

    /// The least order from `order` on with a free block, after extending the used part if necessary.
    private mutating func freeOrder(from order: Int) -> Int? {
        if let found = (order...Self.topOrder).first(where: { self.free[$0] != Self.none }) { return found }
        guard self.reachedByteCount < self.capacity else { return nil }
        let start = self.blocks.count
        self.blocks.append(contentsOf: repeatElement(Block(), count: 1 << Self.topOrder))
        self.link(start, order: Self.topOrder)
        return Self.topOrder
    }

    private mutating func link(_ start: Int, order: Int) {
        let next = self.free[order]
        self.blocks[start] = Block(next: next, order: UInt8(order), isFree: true)
        if next != Self.none { self.blocks[Int(next)].previous = UInt32(start) }
        self.free[order] = UInt32(start)
    }

    private mutating func unlink(_ start: Int) {
        let block = self.blocks[start]
        if block.previous == Self.none {
            self.free[Int(block.order)] = block.next
        } else {
            self.blocks[Int(block.previous)].next = block.next
        }
        if block.next != Self.none { self.blocks[Int(block.next)].previous = block.previous }
        self.blocks[start].isFree = false
    }
}
