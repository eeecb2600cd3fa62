import Glibc
import Synchronization

/// An original's bytes while they arrive, in one place of the declared length.
///
/// One thread at a time appends; any thread reads what is there, which does not change any more.
public final class ArrivingBytes: @unchecked Sendable {
    // Unchecked because of the pointer: memory is only written behind the count, and only read before it.

    /// How much there is, at one moment.
    public struct Extent: Hashable, Sendable {
        /// The number of bytes.
        public let count: Int
        /// Whether no more will come.
        public let isComplete: Bool
    }

    private let memory: UnsafeMutableRawBufferPointer
    private let release: (@Sendable () -> Void)?
    /// The state, where another process appends.
    private let stateElsewhere: (@Sendable () -> Int)?
    /// Twice the count, and one more when it is complete.
    private let state = Atomic<Int>(0)

    /// Reserves memory, which is only used as bytes are appended.
    /// - Parameter declaredCount: The length of the file, in bytes; the caller has checked it against its limits.
    /// - Returns: nil for an empty file, and without memory.
    public init?(declaredCount: Int) {
        guard declaredCount > 0 else { return nil }
        let memory = mmap(
            nil, declaredCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        self.memory = UnsafeMutableRawBufferPointer(start: memory, count: declaredCount)
        (self.release, self.stateElsewhere) = (nil, nil)
    }

    /// Bytes in memory of the caller's, such as what processes share.
    ///
    /// - Parameters:
    ///   - memory: Of the declared length; valid until `release` is called.
    ///   - stateElsewhere: The ``word`` of the process that appends, where this one only reads.
    package init(
        in memory: UnsafeMutableRawBufferPointer, stateElsewhere: (@Sendable () -> Int)? = nil,
        release: @escaping @Sendable () -> Void
    ) {
        self.memory = memory
        (self.release, self.stateElsewhere) = (release, stateElsewhere)
    }

    deinit {
        if let release { release() } else { munmap(self.memory.baseAddress, self.memory.count) }
    }

    /// The extent as one word, for another process: twice the count, and one more when it is complete.
    package var word: Int { self.stateElsewhere?() ?? self.state.load(ordering: .acquiring) }

    /// What there is now.
    public var extent: Extent {
        // Another process is not trusted with a count.
        let state = min(max(0, self.word), self.memory.count << 1 | 1)
        return Extent(count: state >> 1, isComplete: state & 1 == 1)
    }

    /// Adds the next bytes.
    /// - Returns: false, and nothing is added, when they go beyond the declared length, or come after the end.
    public func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let extent = self.extent
        guard !extent.isComplete, bytes.count <= self.memory.count - extent.count else { return false }
        UnsafeMutableRawBufferPointer(rebasing: self.memory[extent.count...]).copyMemory(from: bytes)
        self.state.store((extent.count + bytes.count) << 1, ordering: .releasing)
        return true
    }

    /// Notes that no more bytes will come.
    public func finish() {
        self.state.store(self.extent.count << 1 | 1, ordering: .releasing)
    }

    /// The whole file, of which only ``extent`` may be read.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(self.memory) }
}

/// A file as a decoder finds it at its beginning: whole, or arriving.
struct DecoderInput {
    /// The file, of which only ``present`` may be read yet.
    let bytes: UnsafeRawBufferPointer
    let present: UnsafeRawBufferPointer
    /// nil when all is there.
    let arriving: ArrivingBytes?

    /// - Parameter arriving: Has `bytes`; nil when all of them are there.
    init(_ bytes: UnsafeRawBufferPointer, arriving: ArrivingBytes?) {
        guard let arriving else {
            (self.bytes, self.present, self.arriving) = (bytes, bytes, nil)
            return
        }
        let extent = arriving.extent
        self.present = UnsafeRawBufferPointer(rebasing: bytes[..<extent.count])
        self.bytes = extent.isComplete ? self.present : bytes
        self.arriving = extent.isComplete ? nil : arriving
    }
}
