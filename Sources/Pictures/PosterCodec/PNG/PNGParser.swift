/// Reads the header of a PNG (third edition), incrementally, without inflating the picture. Borrows the file, or its
/// beginning.
struct PNGParser {
    private var chunks: PNGChunks
    /// The state, from which parsing resumes with more bytes of the same file.
    private(set) var progress: Progress

    struct Progress: Sendable {
        fileprivate(set) var offset = 8  // after the signature
        fileprivate var frame: PNGFrame?
        fileprivate var header: ImageHeader?
        fileprivate var hasOrientation = false
        fileprivate var paletteCount = 0
    }

    init(_ bytes: UnsafeRawBufferPointer, resuming progress: Progress = .init()) {
        self.chunks = PNGChunks(bytes, from: progress.offset)
        self.progress = progress
    }

    /// Reads up to the picture's data. Chunks after it, such as an orientation, are not part of the header.
    mutating func header() throws(CodecError) -> ProbeResult {
        while let chunk = try self.chunks.next() {
            guard chunk.type != .apple else { throw .unsupported("PNG of an iOS app (CgBI)") }
            guard self.progress.frame != nil || chunk.type == .header else {
                throw .damaged(reason: "a PNG without header")
            }
            // The header ends where the data begins; the data need not be complete.
            if chunk.type == .data, let frame = self.progress.frame, let header = self.progress.header {
                guard frame.colourType != .palette || self.progress.paletteCount > 0 else {
                    throw .damaged(reason: "a PNG without the palette that it needs")
                }
                return .header(header)
            }
            // Another chunk must follow, so its length and type are needed, too.
            guard self.chunks.isComplete(chunk) else { return .needsMoreBytes(atLeast: chunk.end + 8) }
            try self.note(chunk)
            self.progress.offset = self.chunks.offset
        }
        return .needsMoreBytes(atLeast: self.chunks.offset + 8)
    }

    /// Records the contents of a complete chunk before the picture's data.
    private mutating func note(_ chunk: PNGChunk) throws(CodecError) {
        let payload = self.chunks.payload(of: chunk)
        switch chunk.type {
        case .header:
            guard self.progress.frame == nil else { throw .damaged(reason: "a PNG with two headers") }
            try self.checkSum(of: chunk)
            let frame = try PNGFrame(payload: payload)
            (self.progress.frame, self.progress.header) = (frame, ImageHeader(frame))
        case .palette where self.progress.frame?.colourType == .palette:
            guard self.progress.paletteCount == 0 else { throw .damaged(reason: "a PNG with two palettes") }
            try self.checkSum(of: chunk)
            guard !payload.isEmpty, payload.count % 3 == 0, payload.count <= 768 else {
                throw .damaged(reason: "a PNG palette of impossible length")
            }
            self.progress.paletteCount = payload.count / 3
        case .palette: break  // only a suggestion
        case .end: throw .damaged(reason: "a PNG without picture")
        case _ where chunk.type.isCritical: throw .damaged(reason: "an unknown critical PNG chunk")
        case .transparency:
            let frame = self.progress.frame
            let isValid = frame?.takesTransparency(
                byteCount: payload.count, paletteCount: min(self.progress.paletteCount, 1 << (frame?.bitDepth ?? 0)))
            if isValid == true, self.chunks.isIntact(chunk) { self.progress.header?.hasAlpha = true }
        case .exif where !self.progress.hasOrientation && self.chunks.isIntact(chunk):
            self.progress.hasOrientation = true
            self.progress.header?.orientation = EXIF.orientation(in: payload) ?? .upright
        case .animation where payload.count == 8 && self.chunks.isIntact(chunk):
            // Numbers have 31 bits in a PNG; no animation has zero frames.
            let frames = payload.bigEndian(at: 0)
            if (1...Int(Int32.max)).contains(frames) { self.progress.header?.frameCount = frames }
        case .profile where self.progress.header?.hasICCProfile == false:
            self.progress.header?.hasICCProfile = true
            // Only the first profile counts; an invalid one is ignored.
            guard let profile = PNGProfile(payload) else { return }
            self.progress.header?.noteProfile(prefix: profile.prefix, byteCount: profile.byteCount)
        default: break
        }
    }

    /// Checks the chunks of a complete file up to its end, with their checksums and limits.
    ///
    /// The picture's data may be the last of the file, because nothing after it is shown: the caller then verifies that
    /// it has all rows.
    ///
    /// - Returns: The orientation, if it comes after the picture's data, and whether the file has its end.
    mutating func checkToEnd(
        of header: ImageHeader, limits: CodecLimits
    ) throws(CodecError) -> (orientation: Orientation?, hasEnd: Bool) {
        var count = 0
        var hasData = false
        var hasOrientation = false
        var lateOrientation: Orientation?
        while let chunk = try self.nextChunk(afterData: hasData) {
            count += 1
            try CodecLimits.check(.chunks, count, atMost: limits.maxChunks)
            guard chunk.payload.count <= limits.maxChunkBytes || chunk.type == .data || chunk.type == .frameData else {
                throw .overLimit(.chunkBytes, value: chunk.payload.count, limit: limits.maxChunkBytes)
            }
            guard self.chunks.isComplete(chunk) else {
                guard hasData || chunk.type == .data else { throw .truncated }
                return (lateOrientation, false)
            }
            switch chunk.type {
            case .end:
                guard hasData else { throw .damaged(reason: "a PNG without picture") }
                return (lateOrientation, true)
            case .data:
                hasData = true
                try self.checkSum(of: chunk)
            case .exif where !hasOrientation && self.chunks.isIntact(chunk):
                hasOrientation = true
                if hasData { lateOrientation = EXIF.orientation(in: self.chunks.payload(of: chunk)) }
            case .header, .palette: break  // checked with the header
            case _ where chunk.type.isCritical: throw .damaged(reason: "an unknown critical PNG chunk")
            default: break
            }
        }
        guard hasData else { throw .truncated }
        return (lateOrientation, false)
    }

    /// The next chunk; `nil` at the end of the file, and after the picture's data also for bytes that are not a chunk.
    private mutating func nextChunk(afterData: Bool) throws(CodecError) -> PNGChunk? {
        afterData ? try? self.chunks.next() : try self.chunks.next()
    }

    private func checkSum(of chunk: PNGChunk) throws(CodecError) {
        guard self.chunks.isIntact(chunk) else {
            throw .damaged(reason: "a wrong checksum in the PNG's \(chunk.type.name)")
        }
    }
}

extension ImageHeader {
    fileprivate init(_ frame: PNGFrame) {
        self.init(
            format: .png, width: frame.width, height: frame.height, bitDepth: frame.bitDepth,
            colourModel: frame.colourType.model, sampling: [], isProgressive: frame.isInterlaced,
            isMultiScan: frame.isInterlaced, isLossless: true, hasAlpha: frame.colourType.hasAlpha)
    }
}
