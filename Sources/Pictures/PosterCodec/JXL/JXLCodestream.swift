/// The parts of a JPEG XL file that are its codestream: the whole file, or contents of boxes.
struct JXLCodestream: Sendable {
    /// Ranges of the file, in order. Only the last one may reach beyond the bytes received.
    private var parts: [Range<Int>] = []
    /// The number of bytes of all parts before the last one.
    private var earlierCount = 0
    /// Whether no part follows.
    private(set) var isEnded = false
    /// The number of the next part.
    private var nextNumber = 0

    /// The number of bytes of the codestream among the first `count` bytes of the file.
    func arrivedCount(of count: Int) -> Int {
        guard let last = self.parts.last else { return 0 }
        return self.earlierCount + last.clamped(to: 0..<max(count, last.lowerBound)).count
    }

    /// The bytes that joining the parts takes, once all are known; 0 for one part.
    var joinedBytes: Int { self.parts.count > 1 ? self.parts.reduce(0) { $0 + $1.count } : 0 }

    /// Whether the last part, if any, is among the first `count` bytes of the file.
    func hasArrived(in count: Int) -> Bool { (self.parts.last?.upperBound ?? 0) <= count }

    /// Adds the only part.
    mutating func appendWhole(_ part: Range<Int>) throws(CodecError) {
        guard self.parts.isEmpty else { throw .damaged(reason: "a JPEG XL with two codestreams") }
        self.parts.append(part)
        self.isEnded = true
    }

    /// Adds a numbered part.
    /// - Parameter number: Has the highest of 32 bits for the last part.
    mutating func append(_ part: Range<Int>, number: Int) throws(CodecError) {
        guard number & Int(Int32.max) == self.nextNumber else {
            throw .damaged(reason: "a JPEG XL with parts out of order")
        }
        self.nextNumber += 1
        self.isEnded = number > Int32.max
        guard !part.isEmpty else { return }
        self.earlierCount += self.parts.last?.count ?? 0
        self.parts.append(part)
    }

    /// Calls `body` with the beginning of the codestream, as far as it has arrived. Parts are joined.
    func withBytes<Result>(
        of file: UnsafeRawBufferPointer, atMost limit: Int = .max,
        _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Result
    ) throws(CodecError) -> Result {
        func arrived(_ part: Range<Int>, _ limit: Int) -> UnsafeRawBufferPointer {
            let end = min(part.upperBound, file.count)
            return UnsafeRawBufferPointer(rebasing: file[min(part.lowerBound, end)..<end].prefix(limit))
        }
        if self.parts.count == 1 { return try body(arrived(self.parts[0], limit)) }
        var joined: [UInt8] = []
        joined.reserveCapacity(min(limit, self.arrivedCount(of: file.count)))
        for part in self.parts where joined.count < limit { joined += arrived(part, limit - joined.count) }
        return try joined.span.bytes.withUnsafeBytes { (buffer) throws(CodecError) in try body(buffer) }
    }
}
