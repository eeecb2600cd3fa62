import Glibc
import PosterPipeline
import Synchronization

/// The bytes of an original in memory, because the disk rejected them; freed with the last reference.
final class UnstoredOriginalBuffer: @unchecked Sendable {
    // Unchecked because of the pointer: the draft fills the buffer under its lock, and no longer writes to it once it
    // has been lent.
    private static let step = 256 << 10

    private let budget: UnstoredOriginalBudget
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    init(budget: UnstoredOriginalBudget) {
        self.budget = budget
    }

    deinit {
        free(self.base)
        self.budget.refund(self.capacity)
    }

    /// Room for `count` more bytes, for the caller to fill; `nil` if there is none.
    func grow(by count: Int) -> UnsafeMutableRawBufferPointer? {
        let needed = self.count + count
        if needed > self.capacity {
            let capacity = (needed + Self.step - 1) / Self.step * Self.step
            guard self.budget.charge(capacity - self.capacity) else { return nil }
            guard let base = realloc(self.base, capacity) else {
                self.budget.refund(capacity - self.capacity)
                return nil
            }
            self.base = base
            self.capacity = capacity
        }
        defer { self.count = needed }
        return UnsafeMutableRawBufferPointer(start: self.base.map { $0 + self.count }, count: count)
    }

    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let room = self.grow(by: bytes.count) else { return false }
        room.copyMemory(from: bytes)
        return true
    }

    func removeAll() {
        self.count = 0
    }

    /// The bytes; the buffer must not change afterwards.
    func lent() -> LoadedBytes {
        LoadedBytes(UnsafeRawBufferPointer(start: self.base, count: self.count)) { withExtendedLifetime(self) {} }
    }
}

/// Bounds the total memory of all ``UnstoredOriginalBuffer``s.
final class UnstoredOriginalBudget: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Charges memory, if that much is left.
    func charge(_ count: Int) -> Bool {
        self.used.withLock { used in
            guard count <= self.limit - used else { return false }
            used += count
            return true
        }
    }

    func refund(_ count: Int) {
        self.used.withLock { $0 -= count }
    }
}
