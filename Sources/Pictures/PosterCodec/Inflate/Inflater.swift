/// Inflates a zlib stream (RFC 1950) incrementally. Accepts and rejects the same streams as zlib, with the same bytes.
///
/// No library is suitable: zlib 1.2.13 takes 1.7 to 3.9 times as long, libdeflate decodes only whole streams, and
/// Debian 12's ISA-L may hang on invalid data (see Benchmarks/README.md).
///
/// Allocates about 110 KiB.
struct Inflater: ~Copyable {
    /// The result of a run.
    enum Status {
        case needsInput
        /// The window is full: output must be taken.
        case isFull
        /// The stream is complete, and its checksum is correct.
        case ended
        case corrupt
        /// The stream is complete, but its checksum is wrong.
        case wrongChecksum
    }

    /// The part of the stream to read next.
    enum Stage {
        case header
        case block
        case stored
        case storedBytes(left: Int)
        case dynamic
        case precodes(DynamicCounts, done: Int)
        case lengths(DynamicCounts, done: Int)
        case symbols
        case checksum
    }

    enum Step {
        case goesOn
        case stops(Status)
    }

    /// The status after the last ``run(_:)``.
    private(set) var status = Status.needsInput
    var stage = Stage.header
    var isLastBlock = false
    var bits: InflateBits
    var codes: InflateCodes
    var window: InflateWindow
    private var checksum = Adler32()

    init() {
        self.codes = InflateCodes()
        self.window = InflateWindow(bytes: 1 << 16)
        let nothing = UnsafePointer(self.window.next)
        self.bits = InflateBits(next: nothing, end: nothing)
    }

    private init(copying other: borrowing Inflater) {
        (self.status, self.stage, self.isLastBlock) = (other.status, other.stage, other.isLastBlock)
        (self.bits, self.checksum) = (other.bits, other.checksum)
        self.codes = other.codes.copy()
        self.window = other.window.copy()
    }

    /// Another inflater of the same stream, with the same output.
    borrowing func copy() -> Inflater { Inflater(copying: self) }

    var unreadCount: Int { self.window.unreadCount }

    /// Moves up to `count` bytes of output to `target`; returns the number of bytes moved.
    mutating func take(_ count: Int, to target: UnsafeMutablePointer<UInt8>) -> Int {
        self.window.take(count, to: target)
    }

    mutating func skip() {
        self.window.skip()
    }

    /// Decodes until the input is used up, the window is full or the stream ends; the output can then be taken, even
    /// after an error. Must not be called after the stream's end. The work is bounded by the input and by 96 KiB of
    /// output.
    ///
    /// - Parameter input: The next piece; read bytes are removed from it. Not stored.
    mutating func run(_ input: inout UnsafeBufferPointer<UInt8>) {
        self.window.makeRoom()
        let output = self.window.next
        self.bits.next = input.baseAddress ?? UnsafePointer(output)
        self.bits.end = self.bits.next + input.count
        self.status = self.decode()
        self.checksum.add(output, count: self.window.next - output)
        if case .checksum = self.stage, case .ended = self.status { self.status = self.compareChecksum() }
        input = UnsafeBufferPointer(start: self.bits.next, count: self.bits.left)
    }

    private mutating func decode() -> Status {
        while true {
            let step =
                switch self.stage {
                case .header: self.readHeader()
                case .block: self.readBlock()
                case .stored: self.readStored()
                case .storedBytes(let left): self.copyStored(left)
                case .dynamic: self.readDynamic()
                case .precodes(let counts, let done): self.readPrecodes(counts, done: done)
                case .lengths(let counts, let done): self.readLengths(counts, done: done)
                case .symbols: self.readSymbols()
                case .checksum: Step.stops(.ended)
                }
            if case .stops(let status) = step { return status }
        }
    }

    /// RFC 1950, 2.2.
    private mutating func readHeader() -> Step {
        guard let header = self.bits.take(16) else { return .stops(.needsInput) }
        let (method, flags) = (header & 0xFF, header >> 8)
        guard (method << 8 | flags) % 31 == 0, method & 0xF == 8, method >> 4 <= 7, flags & 0x20 == 0 else {
            return .stops(.corrupt)
        }
        self.stage = .block
        return .goesOn
    }

    /// RFC 1950, 2.2: most significant byte first.
    private mutating func compareChecksum() -> Status {
        guard let number = self.bits.take(32) else { return .needsInput }
        return UInt32(truncatingIfNeeded: number).byteSwapped == self.checksum.value ? .ended : .wrongChecksum
    }
}
