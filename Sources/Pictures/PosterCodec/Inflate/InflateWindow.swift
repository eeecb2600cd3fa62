/// The output of an inflater: the bytes not yet taken, and the 32 KiB before them, which matches may copy (RFC 1951,
/// 2).
struct InflateWindow: ~Copyable {
    /// Maximum distance of a match.
    private static let historyBytes = 1 << 15
    /// Maximum bytes written beyond ``limit``: two literals, a match of 258 bytes, and 15 bytes of overcopy.
    private static let slack = 320

    private let memory: ScratchMemory<UInt8>
    /// The window is full from this address on.
    let limit: UnsafeMutablePointer<UInt8>
    var next: UnsafeMutablePointer<UInt8>
    /// The first byte that was not taken.
    private var unread: UnsafeMutablePointer<UInt8>

    /// - Parameter bytes: The number of bytes after which the window is full.
    init(bytes: Int) {
        let capacity = Self.historyBytes + bytes
        self.memory = ScratchMemory(count: capacity + Self.slack, repeating: 0)
        self.limit = self.memory.start + capacity
        self.next = self.memory.start
        self.unread = self.memory.start
    }

    /// A window with the same bytes.
    borrowing func copy() -> InflateWindow {
        var copy = InflateWindow(bytes: self.limit - self.memory.start - Self.historyBytes)
        copy.memory.start.update(from: self.memory.start, count: self.next - self.memory.start)
        copy.next += self.next - self.memory.start
        copy.unread += self.unread - self.memory.start
        return copy
    }

    @inline(__always) var isFull: Bool { self.next >= self.limit }
    var unreadCount: Int { self.next - self.unread }
    /// The longest distance that is available: all output so far, or at least 32 KiB.
    @inline(__always) var reach: Int { self.next - self.memory.start }

    /// Moves up to `count` bytes to `target`; returns the number of bytes moved.
    mutating func take(_ count: Int, to target: UnsafeMutablePointer<UInt8>) -> Int {
        let taken = min(count, self.unreadCount)
        target.update(from: self.unread, count: taken)
        self.unread += taken
        return taken
    }

    mutating func skip() {
        self.unread = self.next
    }

    /// Moves the last 32 KiB to the start of a full window; all bytes must have been taken.
    mutating func makeRoom() {
        guard self.isFull, self.unreadCount == 0 else { return }
        self.memory.start.update(from: self.next - Self.historyBytes, count: Self.historyBytes)
        self.next = self.memory.start + Self.historyBytes
        self.unread = self.next
    }

    mutating func put(_ byte: UInt8) {
        self.next.pointee = byte
        self.next += 1
    }

    /// Copies `length` bytes, at most 258, from `distance` bytes before, at most ``reach``.
    mutating func `repeat`(distance: Int, length: Int) {
        for _ in 0..<length { self.put((self.next - distance).pointee) }
    }

    /// Appends as many of `bytes` as fit; returns their number.
    mutating func put(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
        let copied = min(count, max(0, self.limit - self.next))
        self.next.update(from: bytes, count: copied)
        self.next += copied
        return copied
    }
}

/// Copies matches with wide loads and stores.
enum InflateCopy {
    /// Copies `length` bytes from `distance` bytes before `output`. Reads and writes up to 15 bytes more.
    @inline(__always) static func copy(_ output: UnsafeMutablePointer<UInt8>, distance: Int, length: Int) {
        var target = UnsafeMutableRawPointer(output)
        var source = UnsafeRawPointer(output) - distance
        let end = target + length
        if distance >= 16 {
            repeat {
                target.storeBytes(of: source.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
                target += 16
                source += 16
            } while target < end
        } else if distance >= 8 {
            // Writes the first and the last eight of the `distance` bytes before the output, which may overlap.
            let first = source.loadUnaligned(as: UInt64.self)
            let last = (UnsafeRawPointer(output) - 8).loadUnaligned(as: UInt64.self)
            repeat {
                target.storeBytes(of: first, as: UInt64.self)
                (target + (distance &- 8)).storeBytes(of: last, as: UInt64.self)
                target += distance
            } while target < end
        } else {
            // Writes words that repeat the `distance` bytes before the output as often as they fit.
            let bits = UInt64(truncatingIfNeeded: 8 &* distance)
            var word = UInt64(littleEndian: source.loadUnaligned(as: UInt64.self)) & (1 &<< bits &- 1)
            var step = distance
            if distance < 4 {
                word |= word &<< bits
                word |= word &<< (2 &* bits)
                step = distance == 3 ? 6 : 8
                if distance == 1 { word |= word &<< 32 }
            } else {
                word |= word &<< bits
                if distance == 4 { step = 8 }
            }
            repeat {
                target.storeBytes(of: word.littleEndian, as: UInt64.self)
                target += step
            } while target < end
        }
    }
}
