/// A chunk of a RIFF file (RFC 9649, 2.3).
struct WebPChunk: Hashable {
    /// Four characters.
    let tag: Tag
    /// Where the chunk begins, its tag and size included.
    let start: Int
    /// The content. Of a file that is still arriving, its end may not be there yet.
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

/// Hops over the chunks between two offsets.
struct WebPChunks {
    enum Step {
        case chunk(WebPChunk)
        case end
        case needsMoreBytes(atLeast: Int)
    }

    private let bytes: UnsafeRawBufferPointer
    /// Where the next chunk begins.
    private(set) var offset: Int
    /// Where the last chunk must end; of a file that is still arriving, beyond its bytes.
    let end: Int

    /// - Parameter range: What the chunks lie in.
    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
        self.bytes = bytes
        self.offset = range.lowerBound
        self.end = range.upperBound
    }

    /// The chunks of a whole file.
    ///
    /// - Parameters:
    ///   - bytes: At least the 12 of "RIFF", a size and "WEBP".
    ///   - offset: Where a chunk begins.
    init(riff bytes: UnsafeRawBufferPointer, from offset: Int = 12) throws(CodecError) {
        let size = bytes.number(at: 4, byteCount: 4)
        // "WEBP" and one chunk header.
        guard size >= 12 else { throw .damaged(reason: "a WebP of an impossible size") }
        self.init(bytes, in: min(offset, 8 + size)..<8 + size)
    }

    mutating func next() throws(CodecError) -> Step {
        // Fewer bytes than a chunk's header are no chunk.
        let content = self.offset + 8
        guard content <= self.end else { return .end }
        guard content <= self.bytes.count else { return .needsMoreBytes(atLeast: content) }
        let size = self.bytes.number(at: self.offset + 4, byteCount: 4)
        guard size <= self.end - content else { throw .damaged(reason: "a WebP chunk reaches beyond its container") }
        let tag = WebPChunk.Tag(code: UInt32(self.bytes.number(at: self.offset, byteCount: 4)))
        let chunk = WebPChunk(tag: tag, start: self.offset, payload: content..<content + size)
        // An odd one is followed by a byte of padding; the last one sometimes is not.
        self.offset = content + size + (size & 1)
        return .chunk(chunk)
    }
}

extension UnsafeRawBufferPointer {
    /// An unsigned little-endian number. The bytes must be there.
    func number(at offset: Int, byteCount: Int) -> Int {
        self[offset..<offset + byteCount].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
