/// Reads the header of a HEIF (High Efficiency Image File Format, ISO/IEC 23008-12: AVIF and HEIC), incrementally,
/// without decoding. Borrows the file, or its beginning.
struct HEIFParser {
    private let bytes: UnsafeRawBufferPointer
    private let limits: CodecLimits
    /// Whether the bytes are the whole file. Only then is the end of a box without a length known.
    private let isWhole: Bool
    /// The state, from which parsing resumes with more bytes of the same file.
    private(set) var progress: Progress

    struct Progress: Sendable {
        fileprivate let codec: ItemCodec
        /// The offset of the file's next box.
        fileprivate(set) var offset = 0
        fileprivate var boxCount = 0
        fileprivate var layout: HEIFLayout?

        init(_ codec: ItemCodec) {
            self.codec = codec
        }
    }

    enum Answer {
        case layout(HEIFLayout)
        case needsMoreBytes(atLeast: Int)
    }

    init(
        _ bytes: UnsafeRawBufferPointer, resuming progress: Progress, limits: CodecLimits, isWhole: Bool
    ) {
        self.bytes = bytes
        self.limits = limits
        self.isWhole = isWhole
        self.progress = progress
    }

    /// Reads up to the end of the items' description, or of the tracks' in a file of frames alone. If these have no
    /// code points of colours, also reads the beginning of the picture's data.
    mutating func header() throws(CodecError) -> ProbeResult {
        switch try self.layout() {
        case .layout(let layout): .header(try layout.header())
        case .needsMoreBytes(let count): .needsMoreBytes(atLeast: count)
        }
    }

    /// Reads as far as ``header()``.
    mutating func layout() throws(CodecError) -> Answer {
        if let layout = self.progress.layout { return .layout(layout) }
        var boxes = ISOBoxes(self.bytes, in: self.progress.offset..<Int.max)
        while true {
            switch try boxes.next() {
            case .needsMoreBytes(let count): return .needsMoreBytes(atLeast: count)
            case .end: throw .damaged(reason: "a HEIF without a picture")
            case .box(let box):
                self.progress.boxCount += 1
                try CodecLimits.check(.chunks, self.progress.boxCount, atMost: self.limits.maxChunks)
                if box.kind == "meta" || box.kind == "moov" {
                    let box = try self.closed(box)
                    guard box.payload.upperBound <= self.bytes.count else {
                        self.progress.boxCount -= 1
                        // Without a length, the box ends with the file.
                        let end = box.payload.upperBound
                        return .needsMoreBytes(atLeast: end == Int.max ? self.bytes.count + 1 : end)
                    }
                    if let answer = try self.layout(in: box) { return answer }
                }
                self.progress.offset = boxes.offset
            }
        }
    }

    /// Ends a box of size 0 with the file, once the whole file has arrived.
    ///
    /// - Throws: ``CodecError/truncated`` if its last inner box reaches beyond the file.
    private func closed(_ box: ISOBox) throws(CodecError) -> ISOBox {
        guard self.isWhole, box.payload.upperBound == Int.max else { return box }
        let start = box.payload.lowerBound + (box.kind == "meta" ? 4 : 0)
        guard start <= self.bytes.count else { throw .truncated }
        var boxes = ISOBoxes(self.bytes, in: start..<Int.max)
        for _ in 0..<self.limits.maxChunks where boxes.offset < self.bytes.count {
            guard case .box(let inner) = try boxes.next(),
                inner.payload.upperBound <= self.bytes.count || inner.payload.upperBound == Int.max
            else { throw .truncated }
        }
        return ISOBox(kind: box.kind, payload: box.payload.lowerBound..<self.bytes.count)
    }

    /// - Returns: `nil` if the description has no pictures.
    private mutating func layout(in box: ISOBox) throws(CodecError) -> Answer? {
        let meta: HEIFMeta
        var frameCount = 1
        if box.kind == "meta" {
            meta = try HEIFMeta(self.bytes, payload: box.payload, codec: self.progress.codec, limits: self.limits)
        } else {
            let tracks = try HEIFTracks(
                self.bytes, payload: box.payload, codec: self.progress.codec, limits: self.limits)
            guard let pictures = tracks.firstPictures() else { return nil }
            (meta, frameCount) = (pictures, tracks.frameCount)
        }
        guard meta.primary != nil else { return nil }
        var composition = HEIFComposition(meta, in: self.bytes, limits: self.limits)
        do throws(CodecError) {
            var layout = try composition.layout()
            layout.frameCount = frameCount
            self.progress.layout = layout
            return .layout(layout)
        } catch {
            guard error == .truncated, composition.missing > self.bytes.count else { throw error }
            self.progress.boxCount -= 1
            return .needsMoreBytes(atLeast: composition.missing)
        }
    }

    /// Checks the pictures' data of a complete file and its limits, without decoding. Data after it may be missing or
    /// damaged.
    ///
    /// - Returns: The layout with the number of frames, and the coded pictures.
    mutating func checkToEnd() throws(CodecError) -> (layout: HEIFLayout, pictures: HEIFPictures) {
        guard case .layout(var layout) = try self.layout(), layout.end <= self.bytes.count else { throw .truncated }
        if let count = self.trackFrameCount() { layout.frameCount = max(layout.frameCount, count) }
        return (layout, try HEIFPictures(layout, in: self.bytes, limits: self.limits))
    }

    /// Verifies a whole file, and completes its header with the number of frames and the coded pictures.
    static func verify(
        _ bytes: UnsafeRawBufferPointer, _ header: inout ImageHeader, watch: RenderWatch
    ) throws(CodecError) {
        let progress = Progress(ItemCodec(header.format))
        var parser = HEIFParser(bytes, resuming: progress, limits: watch.limits, isWhole: true)
        let (layout, pictures) = try parser.checkToEnd()
        header.frameCount = layout.frameCount
        header.coding?.note(pictures)
        try header.check(watch.limits)
    }

    /// The number of frames of an animation that the file has in addition to its items; `nil` without readable tracks.
    private func trackFrameCount() -> Int? {
        var boxes = ISOBoxes(self.bytes, in: self.progress.offset..<Int.max)
        for _ in 0..<self.limits.maxChunks {
            // Bytes after the picture that are not a box do not belong to it.
            guard case .box(let box)? = try? boxes.next() else { return nil }
            guard box.kind == "moov" else { continue }
            guard let payload = try? self.closed(box).payload, payload.upperBound <= self.bytes.count else {
                return nil
            }
            let codec = self.progress.codec
            return try? HEIFTracks(self.bytes, payload: payload, codec: codec, limits: self.limits).frameCount
        }
        return nil
    }
}

extension HEIFParser.Progress: HeaderReader {
    var reached: Int { self.offset }

    mutating func read(
        _ bytes: UnsafeRawBufferPointer, limits: CodecLimits, isWhole: Bool
    ) throws(CodecError) -> ProbeResult {
        var parser = HEIFParser(bytes, resuming: self, limits: limits, isWhole: isWhole)
        defer { self = parser.progress }
        return try parser.header()
    }
}
