import CPosterCodecs

/// Decodes a JPEG XL, or an animation's first frame, as a whole; then delivers its rows.
struct JXLDecoder: ~Copyable, PlaneSource {
    let layout: PlaneLayout
    let colourTag: ColourTag
    /// Interleaved pixels of 8 bits a sample.
    private let pixels: ScratchMemory<UInt8>
    private let width, height: Int
    private let isPremultiplied: Bool
    private let deinterleaver: Deinterleaver
    private var nextRow = 0

    private static let rowsPerGroup = 8

    /// - Throws: ``CodecError/damaged(reason:)`` also if the file's header differs from the plan's.
    init(_ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch) throws(CodecError) {
        var parser = JXLParser(bytes, limits: watch.limits)
        let file = try parser.checkToEnd(watch).layout
        var header = file.imageHeader
        // A plan made from the beginning of a file lacks the properties of frames.
        (header.frameCount, header.isLossless) = (plan.source.frameCount, plan.source.isLossless)
        (header.isMultiScan, header.layerBytes) = (plan.source.isMultiScan, plan.source.layerBytes)
        guard header == plan.source else { throw .damaged(reason: "not the JPEG XL that the plan was made from") }
        let model = PlaneModel(colour: header.colourModel == .gray ? .gray : .rgb, hasAlpha: header.hasAlpha)
        let byteCount = header.width * header.height * model.planeCount
        let pixels = ScratchMemory<UInt8>(count: byteCount)
        let parts = parser.progress.codestream
        self.colourTag = try parts.withBytes(of: bytes) { (codestream) throws(CodecError) in
            let reader = try JXLReader(codestream, of: file, channels: model.planeCount, watch: watch)
            let frames = try JXLFrames(codestream, of: file.header, from: reader.framesStart, watch: watch)
            try frames.check(plan, joinedBytes: parts.joinedBytes)
            let tag = if let declared = file.colourTag { declared } else { try reader.profile() }
            try reader.decode(into: pixels.start, byteCount: byteCount)
            return tag
        }
        self.pixels = pixels
        (self.width, self.height) = (header.width, header.height)
        self.isPremultiplied = file.header.alpha?.isPremultiplied ?? false
        self.deinterleaver = Deinterleaver(channels: model.planeCount)
        let plane = PlaneLayout.PlaneShape(
            width: header.width, height: header.height, rowBytes: header.width, rowsPerGroup: Self.rowsPerGroup,
            samplesPerPixel: (across: 1, down: 1))
        self.layout = PlaneLayout(
            planes: .init(repeating: plane, count: model.planeCount),
            groupCount: (header.height + Self.rowsPerGroup - 1) / Self.rowsPerGroup, model: model)
    }

    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) -> Bool {
        let end = min(self.nextRow + Self.rowsPerGroup, self.height)
        let channels = targets.count
        for y in self.nextRow..<end {
            let row = self.pixels.start + y * self.width * channels
            let target = y - self.nextRow
            if self.isPremultiplied {
                self.split(row, into: targets.enumerated().map { $1! + target * strides[$0] })
            } else {
                self.deinterleaver.split(row, width: self.width, into: targets, strides: strides, y: target)
            }
        }
        self.nextRow = end
        return true
    }

    /// Splits a row that is already premultiplied by its alpha, the last channel.
    private func split(_ row: UnsafePointer<UInt8>, into targets: [UnsafeMutablePointer<UInt8>]) {
        let count = targets.count
        for (channel, target) in targets.enumerated() {
            // Colours above alpha would be brighter than white.
            for x in 0..<self.width { target[x] = min(row[count * x + channel], row[count * x + count - 1]) }
        }
    }

    /// Does nothing: the picture was decoded before the first row.
    mutating func finish() throws(CodecError) {}
}

/// libjxl, with an opened codestream. Borrows its input.
private struct JXLReader: ~Copyable {
    private let reader: LibraryObject
    private let watch: RenderWatch

    init(
        _ codestream: UnsafeRawBufferPointer, of file: JXLLayout, channels: Int, watch: RenderWatch
    ) throws(CodecError) {
        var request = poster_jxl_request(
            width: UInt32(file.header.width), height: UInt32(file.header.height), channels: UInt32(channels),
            converts_colours: file.convertsColours ? 1 : 0)
        guard let start = codestream.baseAddress else { throw .truncated }
        var created: OpaquePointer?
        let status = watch.withHandle { handle in
            poster_jxl_reader_create(
                &request, start.assumingMemoryBound(to: UInt8.self), codestream.count, handle, &created)
        }
        try Self.check(status, watch)
        self.reader = try LibraryObject(created, destroy: poster_jxl_reader_destroy)
        self.watch = watch
    }

    /// The offset of the first frame in the codestream.
    var framesStart: Int { poster_jxl_reader_frames_start(self.reader.pointer) }

    /// The ICC profile of the pixels.
    func profile() throws(CodecError) -> ColourTag {
        let count = poster_jxl_reader_profile_size(self.reader.pointer)
        guard count > 0 else { return .sRGB }
        try self.watch.limits.check(profileBytes: count)
        var profile = [UInt8](repeating: 0, count: count)
        try Self.check(poster_jxl_reader_profile(self.reader.pointer, &profile, count), self.watch)
        return .profile(profile)
    }

    func decode(into pixels: UnsafeMutablePointer<UInt8>, byteCount: Int) throws(CodecError) {
        try Self.check(poster_jxl_reader_decode(self.reader.pointer, pixels, byteCount), self.watch)
    }

    private static func check(_ status: poster_status, _ watch: RenderWatch) throws(CodecError) {
        try watch.check(
            status, corrupt: .damaged(reason: "libjxl cannot decode the JPEG XL"),
            misuse: .damaged(reason: "libjxl cannot decode the JPEG XL as planned"))
    }
}
