/// Hops over the chunks of a PNG (third edition) without decompressing the picture.
struct PNGWalker {
    private var chunks: PNGChunks

    /// - Parameter bytes: A file that begins with a PNG's signature, or its beginning. Borrowed for the walker's life.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.chunks = PNGChunks(bytes)
    }

    /// Reads up to the picture's data. What comes after it, such as an orientation, the header does not have.
    mutating func header() throws(CodecError) -> ProbeAnswer {
        var header: (frame: PNGFrame, image: ImageHeader)?
        var hasOrientation = false
        var paletteCount = 0
        while let chunk = try self.chunks.next() {
            // Nobody needs the picture's data here.
            if chunk.type == .data {
                guard let header else { throw .damaged(reason: "a PNG without header") }
                guard header.frame.colourType != .palette || paletteCount > 0 else {
                    throw .damaged(reason: "a PNG without the palette that it needs")
                }
                return .header(header.image)
            }
            guard chunk.type != .apple else { throw .unsupported("PNG of an iOS app (CgBI)") }
            guard header != nil || chunk.type == .header else { throw .damaged(reason: "a PNG without header") }
            // Another chunk must follow, so its beginning is asked for, too.
            guard self.chunks.isComplete(chunk) else { return .needsMoreBytes(atLeast: chunk.end + 8) }
            let payload = self.chunks.payload(of: chunk)
            switch chunk.type {
            case .header:
                guard header == nil else { throw .damaged(reason: "a PNG with two headers") }
                try self.checkSum(of: chunk)
                let frame = try PNGFrame(payload: payload)
                header = (frame, ImageHeader(frame))
            case .palette where header?.frame.colourType == .palette:
                guard paletteCount == 0 else { throw .damaged(reason: "a PNG with two palettes") }
                try self.checkSum(of: chunk)
                guard !payload.isEmpty, payload.count % 3 == 0, payload.count <= 768 else {
                    throw .damaged(reason: "a PNG palette of impossible length")
                }
                paletteCount = payload.count / 3
            case .palette: break  // only a suggestion
            case .end: throw .damaged(reason: "a PNG without picture")
            case _ where chunk.type.isCritical: throw .damaged(reason: "an unknown PNG chunk that is not optional")
            case .transparency:
                let isValid = header?.frame.takesTransparency(
                    byteCount: payload.count, paletteCount: min(paletteCount, 1 << (header?.frame.bitDepth ?? 0)))
                if isValid == true, self.chunks.isIntact(chunk) { header?.image.hasAlpha = true }
            case .exif where !hasOrientation && self.chunks.isIntact(chunk):
                hasOrientation = true
                header?.image.orientation = EXIF.orientation(in: payload) ?? .upright
            case .animation where payload.count == 8 && self.chunks.isIntact(chunk):
                // Numbers have 31 bits in a PNG; zero frames are none of an animation, either.
                let frames = payload.bigEndian(at: 0)
                if (1...UInt32(Int32.max)).contains(frames) { header?.image.frameCount = Int(frames) }
            case .profile: header?.image.hasICCProfile = true
            default: break
            }
        }
        return .needsMoreBytes(atLeast: self.chunks.offset + 8)
    }

    /// Walks a complete file to the end of the picture and checks that nothing is missing or was changed on its way.
    ///
    /// - Returns: The orientation, if it comes after the picture's data.
    /// - Throws: ``CodecError/truncated``, ``CodecError/damaged(reason:)`` or
    ///   ``CodecError/overLimit(_:value:limit:)``.
    mutating func walkToEnd(limits: CodecLimits) throws(CodecError) -> Orientation? {
        var count = 0
        var hasData = false
        var hasOrientation = false
        var lateOrientation: Orientation?
        while let chunk = try self.chunks.next() {
            count += 1
            guard count <= limits.maxChunks else { throw .overLimit(.chunks, value: count, limit: limits.maxChunks) }
            guard chunk.payload.count <= limits.maxChunkBytes || chunk.type == .data || chunk.type == .frameData else {
                throw .overLimit(.chunkBytes, value: chunk.payload.count, limit: limits.maxChunkBytes)
            }
            guard self.chunks.isComplete(chunk) else { throw .truncated }
            switch chunk.type {
            case .end:
                guard hasData else { throw .damaged(reason: "a PNG without picture") }
                return lateOrientation
            case .data:
                hasData = true
                try self.checkSum(of: chunk)
            case .exif where !hasOrientation && self.chunks.isIntact(chunk):
                hasOrientation = true
                if hasData { lateOrientation = EXIF.orientation(in: self.chunks.payload(of: chunk)) }
            case .header, .palette: break  // checked with the header
            case _ where chunk.type.isCritical: throw .damaged(reason: "an unknown PNG chunk that is not optional")
            default: break
            }
        }
        throw .truncated
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
