/// Reads the header of a WebP (RFC 9649), incrementally, without decoding. Borrows the file's beginning.
struct WebPParser {
    private let bytes: UnsafeRawBufferPointer
    private let isWhole: Bool
    /// The state, from which parsing resumes with more bytes of the same file.
    private(set) var progress: Progress

    struct Progress: Sendable {
        fileprivate(set) var offset = 12
        fileprivate var canvas: WebPExtendedHeader?
        fileprivate var alphaStart: Int?
        fileprivate var alpha: Range<Int>?
        fileprivate var profile: Range<Int>?
        fileprivate var profileWorkingBytes = 0
        fileprivate var orientation: Orientation?
        fileprivate var frame: WebPLayout.Frame?
        fileprivate var frameCount = 0
        /// Within an animation's first frame: the offset of its next chunk, and its alpha.
        fileprivate var inFrame: (offset: Int, alphaStart: Int?, alpha: Range<Int>?)?

        /// The number of bytes that need not be read again.
        var reached: Int { self.inFrame?.offset ?? self.offset }
    }

    /// - Parameter isWhole: Whether the file ends here, so that anything missing after the picture counts as absent.
    init(_ bytes: UnsafeRawBufferPointer, resuming progress: Progress = .init(), isWhole: Bool = false) {
        self.bytes = bytes
        self.isWhole = isWhole
        self.progress = progress
    }

    enum Answer {
        case layout(WebPLayout)
        case needsMoreBytes(atLeast: Int)
    }

    /// Reads up to the picture's own header; with a `VP8X` chunk also the EXIF data after the picture, or all frames of
    /// an animation, which need the whole file.
    mutating func header() throws(CodecError) -> ProbeResult {
        switch try self.layout() {
        case .layout(let layout): .header(layout.header)
        case .needsMoreBytes(let count): .needsMoreBytes(atLeast: count)
        }
    }

    /// Counts the prefix-code groups of the whole file's picture; `nil` with neither alpha nor lossless data.
    mutating func prefixCodes() throws(CodecError) -> ImageHeader.PrefixCodes? {
        guard case .layout(let layout) = try self.layout() else { throw .truncated }
        return try layout.prefixCodes(of: layout.frame.losslessHeader(in: self.bytes))
    }

    /// Checks the chunks of a complete file and their limits; bytes after its end are allowed. Chunks after the picture
    /// may be missing or damaged.
    mutating func checkToEnd(limits: CodecLimits) throws(CodecError) {
        guard case .layout(let layout) = try self.layout(), layout.frame.data.upperBound <= self.bytes.count else {
            throw .truncated
        }
        var chunks = try WebPChunks(riff: self.bytes)
        var (count, frames) = (0, 0)
        while case .chunk(let chunk)? = try? chunks.next() {
            count += 1
            if chunk.tag == "ANMF" { frames += 1 }
            try CodecLimits.check(.chunks, count, atMost: limits.maxChunks)
            try CodecLimits.check(.frames, frames, atMost: limits.maxFrames)
        }
    }

    /// Reads as far as ``header()``.
    mutating func layout() throws(CodecError) -> Answer {
        var chunks = try WebPChunks(riff: self.bytes, from: self.progress.offset)
        while true {
            // Also applies to a parser that is resumed after the picture.
            let canvas = self.progress.canvas
            let needsEXIF = canvas?.hasEXIF == true && self.progress.orientation == nil
            if let layout = self.found, !needsEXIF, canvas?.isAnimated != true { return .layout(layout) }
            let step: WebPChunks.Step
            do throws(CodecError) {
                step = try chunks.next()
            } catch {
                guard let layout = self.found else { throw error }
                return .layout(layout)
            }
            switch step {
            case .needsMoreBytes(let count): return self.answer(missing: count)
            case .end:
                guard let layout = self.found else { throw .damaged(reason: "the WebP ends without a picture") }
                return .layout(layout)
            case .chunk(let chunk):
                if let missing = try self.note(chunk) { return self.answer(missing: missing) }
                self.progress.offset = chunks.offset
            }
        }
    }

    /// The answer if bytes are missing: the picture, if it was found and no more bytes will come.
    private func answer(missing count: Int) -> Answer {
        if self.isWhole, let found { return .layout(found) }
        return .needsMoreBytes(atLeast: count)
    }

    private var found: WebPLayout? {
        guard let frame = self.progress.frame else { return nil }
        return WebPLayout(
            width: self.progress.canvas?.width ?? frame.bitstream.width,
            height: self.progress.canvas?.height ?? frame.bitstream.height,
            frame: frame, frameCount: max(1, self.progress.frameCount), profile: self.progress.profile,
            profileWorkingBytes: self.progress.profileWorkingBytes, orientation: self.progress.orientation ?? .upright)
    }

    /// Records the contents of a chunk. Features that the `VP8X` chunk does not declare are ignored, as by browsers.
    ///
    /// - Returns: The number of bytes of the file that is needed; `nil` if they have arrived.
    private mutating func note(_ chunk: WebPChunk) throws(CodecError) -> Int? {
        guard let canvas = self.progress.canvas else {
            if chunk.tag == "VP8X" {
                guard chunk.payload.count == WebPExtendedHeader.length else {
                    throw .damaged(reason: "a bad VP8X chunk")
                }
                guard let payload = self.slice(chunk.payload) else { return chunk.payload.upperBound }
                self.progress.canvas = try WebPExtendedHeader(payload)
                return nil
            }
            guard chunk.tag == "VP8 " || chunk.tag == "VP8L" else {
                throw .damaged(reason: "a WebP that does not begin with its picture")
            }
            return try self.notePicture(chunk)
        }
        switch chunk.tag {
        case "ICCP" where canvas.hasProfile && self.progress.frame == nil && self.progress.profile == nil:
            let prefix = chunk.payload.prefix(ICCTagTable.maxLength)
            guard let bytes = self.slice(prefix) else { return prefix.upperBound }
            self.progress.profile = chunk.payload
            self.progress.profileWorkingBytes = ICCTagTable.workingBytes(
                of: bytes, byteCount: chunk.payload.count)
        case "EXIF" where canvas.hasEXIF && self.progress.orientation == nil:
            guard let payload = self.slice(chunk.payload) else { return chunk.payload.upperBound }
            // Some writers put JPEG's signature before the TIFF structure.
            let tiff = FilePrefix(payload).has("Exif\0\0") ? UnsafeRawBufferPointer(rebasing: payload[6...]) : payload
            self.progress.orientation = EXIF.orientation(in: tiff) ?? .upright
        case "ALPH" where canvas.hasAlpha && !canvas.isAnimated && self.progress.frame == nil:
            self.progress.alphaStart = self.progress.alphaStart ?? chunk.start
            self.progress.alpha = chunk.payload
        case "VP8 " where !canvas.isAnimated, "VP8L" where !canvas.isAnimated:
            return try self.notePicture(chunk)
        case "ANMF" where canvas.isAnimated:
            if self.progress.frame == nil, let missing = try self.noteFirstFrame(chunk, of: canvas) { return missing }
            self.progress.frameCount += 1
        default: break
        }
        return nil
    }

    /// Records a still picture from its `VP8 ` or `VP8L` chunk.
    private mutating func notePicture(_ chunk: WebPChunk) throws(CodecError) -> Int? {
        guard self.progress.frame == nil else { return nil }
        let range = try WebPBitstreamHeader.headerRange(in: chunk)
        guard let header = self.slice(range) else { return range.upperBound }
        let bitstream = try WebPBitstreamHeader(header, in: chunk)
        if let canvas = self.progress.canvas, (canvas.width, canvas.height) != (bitstream.width, bitstream.height) {
            throw .damaged(reason: "a WebP whose canvas and picture differ in size")
        }
        self.progress.frame = WebPLayout.Frame(
            bitstream, in: chunk, alphaStart: self.progress.alphaStart, alpha: self.progress.alpha, x: 0, y: 0)
        return nil
    }

    /// Records an animation's first frame (RFC 9649, 2.7.1.1).
    private mutating func noteFirstFrame(_ chunk: WebPChunk, of canvas: WebPExtendedHeader) throws(CodecError) -> Int? {
        let head = chunk.payload.prefix(16)
        guard head.count == 16 else { throw .damaged(reason: "a WebP frame without its header") }
        guard let fields = self.slice(head) else { return head.upperBound }
        let (x, y) = (2 * fields.littleEndian(at: 0, byteCount: 3), 2 * fields.littleEndian(at: 3, byteCount: 3))
        let width = fields.littleEndian(at: 6, byteCount: 3) + 1
        let height = fields.littleEndian(at: 9, byteCount: 3) + 1
        guard x + width <= canvas.width, y + height <= canvas.height else {
            throw .damaged(reason: "a WebP frame beyond its canvas")
        }
        var (reached, alphaStart, alpha) = self.progress.inFrame ?? (head.upperBound, nil, nil)
        let end = chunk.payload.upperBound
        var chunks = WebPChunks(self.bytes, in: min(reached, end)..<end)
        while true {
            reached = chunks.offset
            self.progress.inFrame = (reached, alphaStart, alpha)
            switch try chunks.next() {
            case .needsMoreBytes(let count): return count
            case .end: throw .damaged(reason: "a WebP frame without a picture")
            case .chunk(let part) where part.tag == "ALPH" && canvas.hasAlpha:
                alphaStart = alphaStart ?? part.start
                alpha = part.payload
            case .chunk(let part) where part.tag == "VP8 " || part.tag == "VP8L":
                let header = try WebPBitstreamHeader.headerRange(in: part)
                guard let bytes = self.slice(header) else { return header.upperBound }
                let bitstream = try WebPBitstreamHeader(bytes, in: part)
                guard (bitstream.width, bitstream.height) == (width, height) else {
                    throw .damaged(reason: "a WebP frame whose header and picture differ in size")
                }
                self.progress.frame = WebPLayout.Frame(
                    bitstream, in: part, alphaStart: alphaStart, alpha: alpha, x: x, y: y)
                self.progress.inFrame = nil
                return nil
            case .chunk: break
            }
        }
    }

    /// The bytes of a range of the file; `nil` if they have not all arrived.
    private func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer? {
        range.upperBound <= self.bytes.count ? UnsafeRawBufferPointer(rebasing: self.bytes[range]) : nil
    }
}

extension WebPLayout.Frame {
    fileprivate init(
        _ bitstream: WebPBitstreamHeader, in chunk: WebPChunk, alphaStart: Int?, alpha: Range<Int>?, x: Int, y: Int
    ) {
        // Lossless data contains its alpha.
        let start = bitstream.isLossless ? chunk.start : alphaStart ?? chunk.start
        self.init(
            data: start..<chunk.payload.upperBound, x: x, y: y, bitstream: bitstream,
            alpha: bitstream.isLossless ? nil : alpha,
            hasAlpha: bitstream.hasAlpha || start < chunk.start)
    }
}
