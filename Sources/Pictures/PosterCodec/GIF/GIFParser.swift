/// Reads the blocks of a GIF (GIF89a), incrementally, without decoding. Borrows the file, or its beginning.
struct GIFParser {
    private let bytes: UnsafeRawBufferPointer
    /// The state, from which parsing resumes with more bytes of the same file.
    private(set) var progress: Progress

    struct Progress: Sendable {
        /// The offset of the next block, or of the next sub-block of an extension.
        fileprivate(set) var offset = 0
        fileprivate var screen: (width: Int, height: Int)?
        fileprivate var palette: Range<Int>?
        fileprivate var transparentIndex: UInt8?
        /// Whether ``offset`` is at a sub-block.
        fileprivate var isInBlock = false
        fileprivate(set) var layout: GIFLayout?
    }

    private enum Introducer {
        static let extensionBlock: UInt8 = 0x21
        static let picture: UInt8 = 0x2C
        static let end: UInt8 = 0x3B
        static let graphicControl: UInt8 = 0xF9
    }

    private static let screenLength = 13
    private static let pictureLength = 10

    init(_ bytes: UnsafeRawBufferPointer, resuming progress: Progress = .init()) {
        self.bytes = bytes
        self.progress = progress
    }

    /// Reads up to the first picture's own header.
    mutating func header() throws(CodecError) -> ProbeResult {
        while self.progress.layout == nil {
            if let missing = try self.readBlock() { return .needsMoreBytes(atLeast: missing) }
        }
        guard let layout = self.progress.layout else { throw .damaged(reason: "a GIF without a picture") }
        return .header(layout.header)
    }

    /// Checks the blocks of a complete file and their limits. Data after the first picture may be missing or damaged,
    /// because only that picture is shown.
    ///
    /// - Returns: The number of complete pictures; 0 if the first one's data has no end, although it may have all
    ///   pixels.
    mutating func frameCount(limits: CodecLimits) throws(CodecError) -> Int {
        guard case .header = try self.header(), let layout = self.progress.layout else { throw .truncated }
        var offset = layout.dataStart
        guard self.skipPicture(&offset) else { return 0 }
        var (frameCount, blockCount) = (1, 1)
        while offset < self.bytes.count {
            switch self.bytes[offset] {
            case Introducer.extensionBlock:
                offset += 2
                guard self.skipSubBlocks(&offset) else { return frameCount }
            case Introducer.picture:
                guard offset + Self.pictureLength <= self.bytes.count else { return frameCount }
                offset += Self.pictureLength + Self.paletteLength(self.bytes[offset + 9])
                guard self.skipPicture(&offset) else { return frameCount }
                frameCount += 1
                try CodecLimits.check(.frames, frameCount, atMost: limits.maxFrames)
            // Browsers treat anything else after a picture as the end.
            default: return frameCount
            }
            blockCount += 1
            try CodecLimits.check(.chunks, blockCount, atMost: limits.maxChunks)
        }
        return frameCount
    }

    /// Skips a picture's data.
    ///
    /// - Parameter offset: The offset of its first code size; becomes the next block's.
    /// - Returns: `false` if the file ends before the data does.
    private func skipPicture(_ offset: inout Int) -> Bool {
        offset += 1
        return self.skipSubBlocks(&offset)
    }

    private func skipSubBlocks(_ offset: inout Int) -> Bool {
        while offset < self.bytes.count {
            let count = Int(self.bytes[offset])
            offset += 1 + count
            if count == 0 { return true }
        }
        return false
    }

    /// Reads the next block before the first picture, or a sub-block of such a block.
    ///
    /// - Returns: The number of bytes of the file that is needed; `nil` if they have arrived.
    private mutating func readBlock() throws(CodecError) -> Int? {
        guard let screen = self.progress.screen else { return self.readScreen() }
        let offset = self.progress.offset
        guard offset < self.bytes.count else { return offset + 1 }
        if self.progress.isInBlock {
            let count = Int(self.bytes[offset])
            self.progress.offset = offset + 1 + count
            self.progress.isInBlock = count > 0
            return nil
        }
        switch self.bytes[offset] {
        case Introducer.extensionBlock:
            guard offset + 2 <= self.bytes.count else { return offset + 2 }
            if self.bytes[offset + 1] == Introducer.graphicControl {
                // The size of the sub-block, flags, a delay of two bytes and an index.
                guard offset + 7 <= self.bytes.count else { return offset + 7 }
                let isTransparent = self.bytes[offset + 2] >= 4 && self.bytes[offset + 3] & 1 == 1
                self.progress.transparentIndex = isTransparent ? self.bytes[offset + 6] : nil
            }
            self.progress.offset = offset + 2
            self.progress.isInBlock = true
        case Introducer.picture:
            guard offset + Self.pictureLength <= self.bytes.count else { return offset + Self.pictureLength }
            self.progress.layout = try self.layout(ofPictureAt: offset, screen: screen)
        case Introducer.end: throw .damaged(reason: "a GIF without a picture")
        default: throw .damaged(reason: "a GIF with an unknown block before its picture")
        }
        return nil
    }

    private mutating func readScreen() -> Int? {
        guard self.bytes.count >= Self.screenLength else { return Self.screenLength }
        self.progress.screen = (self.number(6), self.number(8))
        let paletteLength = Self.paletteLength(self.bytes[10])
        let end = Self.screenLength + paletteLength
        self.progress.palette = paletteLength > 0 ? Self.screenLength..<end : nil
        self.progress.offset = end
        return nil
    }

    private func layout(
        ofPictureAt offset: Int, screen: (width: Int, height: Int)
    ) throws(CodecError) -> GIFLayout {
        let (left, top) = (self.number(offset + 1), self.number(offset + 3))
        let (width, height) = (self.number(offset + 5), self.number(offset + 7))
        guard width > 0, height > 0 else { throw .damaged(reason: "a GIF whose first picture has no pixels") }
        let flags = self.bytes[offset + 9]
        let paletteStart = offset + Self.pictureLength
        let dataStart = paletteStart + Self.paletteLength(flags)
        let local = dataStart > paletteStart ? paletteStart..<dataStart : nil
        guard let palette = local ?? self.progress.palette else { throw .damaged(reason: "a GIF without a palette") }
        return GIFLayout(
            width: max(screen.width, left + width), height: max(screen.height, top + height),
            frame: (left, top, width, height), isInterlaced: flags & 0x40 != 0,
            palette: palette, transparentIndex: self.progress.transparentIndex, dataStart: dataStart)
    }

    /// The length in bytes of the palette that flags declare; 0 without one.
    private static func paletteLength(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 6 << Int(flags & 7) }

    /// The unsigned number of two bytes at `offset`.
    private func number(_ offset: Int) -> Int { self.bytes.littleEndian(at: offset, byteCount: 2) }
}
