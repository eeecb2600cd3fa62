import CPosterCodecs

/// The chunks of a PNG, one after the other.
struct PNGChunks {
    let bytes: UnsafeRawBufferPointer
    /// Where the next chunk begins.
    private(set) var offset: Int

    /// - Parameters:
    ///   - bytes: A file that begins with a PNG's signature, or its beginning. Borrowed.
    ///   - offset: Where a chunk begins; the first is behind the signature.
    init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 8) {
        self.bytes = bytes
        self.offset = offset
    }

    /// The next chunk, of which at least length and type are there; nil where they are not.
    ///
    /// - Throws: ``CodecError/damaged(reason:)`` when there is no chunk but something else.
    mutating func next() throws(CodecError) -> PNGChunk? {
        guard let length = self.number(at: self.offset), let code = self.number(at: self.offset + 4) else { return nil }
        let type = PNGChunk.Kind(code: code)
        guard length <= Int32.max, type.isOfLetters else { throw .damaged(reason: "no PNG chunk where one should be") }
        let start = self.offset + 8
        let chunk = PNGChunk(type: type, payload: start..<start + Int(length))
        self.offset = chunk.end
        return chunk
    }

    func isComplete(_ chunk: PNGChunk) -> Bool {
        chunk.end <= self.bytes.count
    }

    /// Whether the checksum over type and payload fits; the chunk must be complete.
    func isIntact(_ chunk: PNGChunk) -> Bool {
        let covered = UnsafeRawBufferPointer(
            rebasing: self.bytes[chunk.payload.lowerBound - 4..<chunk.payload.upperBound])
        guard let base = covered.bindMemory(to: UInt8.self).baseAddress else { return false }
        return poster_crc32(base, covered.count) == self.number(at: chunk.payload.upperBound)
    }

    /// Of a complete chunk.
    func payload(of chunk: PNGChunk) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self.bytes[chunk.payload])
    }

    private func number(at offset: Int) -> UInt32? {
        guard offset + 4 <= self.bytes.count else { return nil }
        return self.bytes.bigEndian(at: offset)
    }
}

extension UnsafeRawBufferPointer {
    /// The 32 bits at `offset`, most significant byte first; they must be there.
    func bigEndian(at offset: Int) -> UInt32 {
        UInt32(bigEndian: self.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
