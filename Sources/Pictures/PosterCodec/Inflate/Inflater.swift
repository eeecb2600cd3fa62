/// Inflates a zlib stream (RFC 1950) that comes in pieces. It accepts and refuses what zlib does, with the same bytes.
///
/// Holds ``byteCount`` bytes, about 110 KiB. What it wrote is taken before it goes on.
struct Inflater: ~Copyable {
    /// What to do next.
    enum Status {
        /// The piece was used up.
        case needsInput
        /// Bytes must be taken.
        case isFull
        /// The stream is complete, and its checksum fits.
        case ended
        /// The stream contradicts itself.
        case corrupt
        /// The stream is complete, but its checksum does not fit what came out.
        case wrongChecksum
    }

    /// What comes next in the stream.
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

    /// How a step of the decoder ended.
    enum Step {
        case goesOn
        case stops(Status)
    }

    /// After the last run.
    private(set) var status = Status.needsInput
    var stage = Stage.header
    /// Whether the running block is the last one.
    var isLastBlock = false
    var bits: InflateBits
    var codes = InflateCodes()
    var window: InflateWindow
    private var checksum = Adler32()

    init() {
        self.window = InflateWindow(bytes: 1 << 16)
        let nothing = UnsafePointer(self.window.next)
        self.bits = InflateBits(next: nothing, end: nothing)
    }

    /// In all, of memory.
    var byteCount: Int { self.window.byteCount + self.codes.byteCount }

    /// Bytes that can be taken.
    var unreadCount: Int { self.window.unreadCount }

    /// Copies up to `count` of the bytes that came out to `target`.
    ///
    /// - Returns: How many.
    mutating func take(_ count: Int, to target: UnsafeMutablePointer<UInt8>) -> Int {
        self.window.take(count, to: target)
    }

    /// Leaves out the bytes that came out.
    mutating func skip() {
        self.window.skip()
    }

    /// Goes on until the input is used up, the window is full or the stream ends; what came out can be taken then, an
    /// error notwithstanding. Not to be called after the stream's end. The work is bounded by the input, and by about
    /// 96 KiB that come out.
    ///
    /// - Parameter input: The next piece, of which what was used is removed. It is not kept.
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
            if case .stops(let status) = self.step() { return status }
        }
    }

    /// Reads whatever comes next.
    private mutating func step() -> Step {
        switch self.stage {
        case .header: self.readHeader()
        case .block: self.readBlock()
        case .stored: self.readStored()
        case .storedBytes(let left): self.copyStored(left)
        case .dynamic: self.readDynamic()
        case .precodes(let counts, let done): self.readPrecodes(counts, done: done)
        case .lengths(let counts, let done): self.readLengths(counts, done: done)
        case .symbols: self.readSymbols()
        case .checksum: .stops(.ended)
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
