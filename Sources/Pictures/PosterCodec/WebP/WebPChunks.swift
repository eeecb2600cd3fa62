/// A chunk of a RIFF file (RFC 9649, 2.3).
struct WebPChunk: Hashable {
    /// Four characters.
    let tag: Tag
    /// The offset of the chunk's tag.
    let start: Int
    /// The range of the payload in the file; it may reach beyond the bytes received.
    let payload: Range<Int>

    struct Tag: Hashable, ExpressibleByStringLiteral {
        private let code: UInt32

        init(code: UInt32) {
            self.code = code
        }

        init(stringLiteral name: StaticString) {
            self.code = name.withUTF8Buffer { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
        }
    }
}

/// Iterates over the chunks between two offsets.
struct WebPChunks {
    enum Step {
        case chunk(WebPChunk)
        case end
        case needsMoreBytes(atLeast: Int)
    }

    private let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    /// The offset at which the last chunk must end; it may be beyond the bytes received.
    let end: Int

    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
        self.bytes = bytes
        self.offset = range.lowerBound
        self.end = range.upperBound
    }

    /// The chunks of a whole file, which has at least the 12 bytes of "RIFF", a size and "WEBP".
    init(riff bytes: UnsafeRawBufferPointer, from offset: Int = 12) throws(CodecError) {
        let size = bytes.littleEndian(at: 4, byteCount: 4)
        // "WEBP" and one chunk header.
        guard size >= 12 else { throw .damaged(reason: "a WebP of an impossible size") }
        self.init(bytes, in: min(offset, 8 + size)..<8 + size)
    }

    mutating func next() throws(CodecError) -> Step {
        // A rest shorter than a chunk's header is ignored.
        let content = self.offset + 8
        guard content <= self.end else { return .end }
        guard content <= self.bytes.count else { return .needsMoreBytes(atLeast: content) }
        let size = self.bytes.littleEndian(at: self.offset + 4, byteCount: 4)
        guard size <= self.end - content else { throw .damaged(reason: "a WebP chunk reaches beyond its container") }
        let tag = WebPChunk.Tag(code: UInt32(self.bytes.littleEndian(at: self.offset, byteCount: 4)))
        let chunk = WebPChunk(tag: tag, start: self.offset, payload: content..<content + size)
        // A chunk of odd size is followed by a byte of padding, except sometimes the last one.
        self.offset = content + size + (size & 1)
        return .chunk(chunk)
    }
}
