import Glibc
import Synchronization

/// An original's bytes while they arrive, in memory of the declared length.
///
/// Only one thread at a time may append; any thread may read the arrived bytes, which do not change.
public final class ArrivingBytes: @unchecked Sendable {
    // Unchecked because of the pointer: memory is written only after the count, and read only before it.

    /// The number of arrived bytes at one moment.
    public struct Extent: Hashable, Sendable {
        /// The number of arrived bytes.
        public let count: Int
        /// Whether no more bytes will come.
        public let isComplete: Bool
    }

    private let memory: UnsafeMutableRawBufferPointer
    private let release: (@Sendable () -> Void)?
    /// Returns the state of another process that appends; `nil` if this one does.
    private let stateElsewhere: (@Sendable () -> Int)?
    /// Twice the count, plus one if complete.
    private let state = Atomic<Int>(0)

    /// Reserves memory, which is used only as bytes are appended.
    /// - Parameter declaredCount: The length of the file, in bytes; the caller has checked it against its limits.
    /// - Returns: `nil` for an empty file, or if there is no memory.
    public init?(declaredCount: Int) {
        guard declaredCount > 0 else { return nil }
        let memory = mmap(
            nil, declaredCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        self.memory = UnsafeMutableRawBufferPointer(start: memory, count: declaredCount)
        (self.release, self.stateElsewhere) = (nil, nil)
    }

    /// Bytes in memory of the caller, such as memory that processes share.
    ///
    /// - Parameters:
    ///   - memory: Has the declared length; valid until `release` is called.
    ///   - stateElsewhere: Returns the ``word`` of the appending process, if this one only reads.
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

    /// The extent as one word, for another process: twice the count, plus one if complete.
    package var word: Int { self.stateElsewhere?() ?? self.state.load(ordering: .acquiring) }

    /// The current extent.
    public var extent: Extent {
        // A count of another process is not trusted.
        let state = min(max(0, self.word), self.memory.count << 1 | 1)
        return Extent(count: state >> 1, isComplete: state & 1 == 1)
    }

    /// Appends bytes.
    /// - Returns: `false`, without appending any, if they exceed the declared length or come after the end.
    public func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let extent = self.extent
        guard !extent.isComplete, bytes.count <= self.memory.count - extent.count else { return false }
        UnsafeMutableRawBufferPointer(rebasing: self.memory[extent.count...]).copyMemory(from: bytes)
        self.state.store((extent.count + bytes.count) << 1, ordering: .releasing)
        return true
    }

    /// Marks the file as complete.
    public func finish() {
        self.state.store(self.extent.count << 1 | 1, ordering: .releasing)
    }

    /// The whole file, within which only ``extent`` may be read.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(self.memory) }
}

/// A file at the start of decoding: whole, or arriving.
struct DecoderInput {
    /// The file, within which only ``present`` may be read so far.
    let bytes: UnsafeRawBufferPointer
    let present: UnsafeRawBufferPointer
    /// `nil` if the file is complete.
    let arriving: ArrivingBytes?

    /// - Parameter arriving: Has `bytes`; `nil` if the file is complete.
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
