/// A box of an ISO base media file (ISO/IEC 14496-12, 4.2).
struct ISOBox {
    let kind: Kind
    /// The range of the content in the file; it may reach beyond the bytes received.
    let payload: Range<Int>

    struct Kind: Hashable, Sendable, ExpressibleByStringLiteral {
        private let code: Int

        init(code: Int) {
            self.code = code
        }

        init(stringLiteral name: StaticString) {
            self.code = name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
        }
    }
}

/// Iterates over the boxes of a container, or of the file.
struct ISOBoxes {
    enum Step {
        case box(ISOBox)
        case end
        case needsMoreBytes(atLeast: Int)
    }

    private let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    /// The end of the container; `Int.max` for a file, as its length need not be known.
    private let end: Int

    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
        self.bytes = bytes
        self.offset = range.lowerBound
        self.end = range.upperBound
    }

    mutating func next() throws(CodecError) -> Step {
        // A rest shorter than a box's header is ignored.
        guard self.offset <= self.end - 8 else { return .end }
        guard self.offset + 8 <= self.bytes.count else { return .needsMoreBytes(atLeast: self.offset + 8) }
        let kind = ISOBox.Kind(code: self.bytes.bigEndian(at: self.offset + 4))
        var content = self.offset + 8
        var size = self.bytes.bigEndian(at: self.offset)
        if size == 1 {
            content += 8
            guard content <= self.end else { throw Self.reachesBeyond }
            guard content <= self.bytes.count else { return .needsMoreBytes(atLeast: content) }
            size = self.bytes.bigEndian(at: self.offset + 8, byteCount: 8)
        }
        // A size of 0 means the rest of the container.
        let length = size == 0 ? self.end - self.offset : size
        guard length >= content - self.offset else { throw .damaged(reason: "a HEIF with a box of impossible size") }
        guard length <= self.end - self.offset else { throw Self.reachesBeyond }
        let payload = content..<self.offset + length
        self.offset = payload.upperBound
        return .box(ISOBox(kind: kind, payload: payload))
    }

    /// The next box of a container that has arrived completely; `nil` at its end.
    mutating func nextInside() throws(CodecError) -> ISOBox? {
        switch try self.next() {
        case .box(let box): return box
        case .end: return nil
        case .needsMoreBytes: throw Self.reachesBeyond
        }
    }

    private static var reachesBeyond: CodecError {
        .damaged(reason: "a HEIF with a box that reaches beyond its container")
    }
}

/// Reads numbers from a box's content, which must have arrived completely.
struct ISOFields {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    let end: Int

    /// - Parameter range: Within `bytes`.
    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
        self.bytes = bytes
        self.offset = range.lowerBound
        self.end = range.upperBound
    }

    var rest: Range<Int> { self.offset..<self.end }

    /// The next number, of at most eight bytes; 0 if `byteCount` is 0.
    mutating func number(_ byteCount: Int) throws(CodecError) -> Int {
        guard byteCount <= self.end - self.offset else {
            throw .damaged(reason: "a HEIF with a box that is too short")
        }
        defer { self.offset += byteCount }
        let value = self.bytes.bigEndian(at: self.offset, byteCount: byteCount)
        guard value >= 0 else { throw .damaged(reason: "a HEIF with a number out of range") }
        return value
    }

    mutating func skip(_ byteCount: Int) throws(CodecError) {
        guard byteCount <= self.end - self.offset else {
            throw .damaged(reason: "a HEIF with a box that is too short")
        }
        self.offset += byteCount
    }

    /// The version of a full box; the flags follow.
    mutating func version() throws(CodecError) -> Int { try self.number(1) }

    mutating func kind() throws(CodecError) -> ISOBox.Kind { ISOBox.Kind(code: try self.number(4)) }
}
