import CPosterCodecs

/// Decodes the planes of a JPEG with libjpeg, at a scale of its inverse DCT.
///
/// The scans of a multi-scan file are decoded here, side by side, and libjpeg gets the coefficients of one group of
/// rows at a time; alone, it would hold the whole picture's. Irregular files are decoded by libjpeg itself.
struct JPEGDecoder: ~Copyable, PlaneSource {
    let layout: PlaneLayout
    let colourTag: ColourTag
    private let file: File
    private var reader: LibraryObject
    private let arriving: ArrivingBytes?
    /// Decodes the scans; `nil` if libjpeg does.
    private var scans: JPEGGroupReader?
    private var groupsRead = 0

    /// Whether the scans are decoded here; any group may prove irregular and leave the file to libjpeg.
    var decodesScans: Bool { self.scans != nil }

    /// The file and the parameters of its decoding.
    private struct File {
        let bytes: UnsafeRawBufferPointer
        let ranges: [Range<Int>]
        /// Whether all scans are complete, but the end of image is missing.
        let lacksEnd: Bool
        let eighths: UInt32
        let watch: RenderWatch

        /// Whether libjpeg may smooth a picture: smoothing out dropped scans would take longer than reading them.
        var smooths: Bool { self.ranges.count == 1 }
    }

    /// Reads the header and starts decoding; may read all scans of a multi-scan file.
    ///
    /// - Parameters:
    ///   - ranges: The ranges of the bytes that are read as the file; `nil` for the plan's.
    ///   - arriving: Has `bytes`; `nil` if the file is complete.
    ///   - ownScans: Whether the scans of a multi-scan file may be decoded here.
    /// - Throws: ``CodecError/damaged(reason:)`` also if libjpeg reads another header than the plan's.
    init(
        _ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch, ranges: [Range<Int>]? = nil,
        arriving: ArrivingBytes? = nil, ownScans: Bool = true
    ) throws(CodecError) {
        let input = DecoderInput(bytes, arriving: arriving)
        if input.arriving != nil { try Self.checkHeader(of: input.present) }
        let bytes = input.bytes
        let colourTag = try Self.colourTag(of: bytes, header: plan.source, limits: watch.limits)
        var ranges = ranges ?? plan.ranges(in: bytes.count)
        // The plan's ranges belong to another file: read all of this one.
        if let last = ranges.last, last.upperBound > bytes.count { ranges = [0..<bytes.count] }
        let isMultiScan = plan.source.isMultiScan && input.arriving == nil
        let table = isMultiScan ? JPEGScanSet(bytes, ranges: ranges, smooths: ranges.count == 1) : nil
        if let end = table?.pictureEnd { ranges = ranges.map { $0.clamped(to: 0..<end) } }
        let file = File(
            bytes: bytes, ranges: ranges, lacksEnd: table?.pictureEnd != nil, eighths: UInt32(plan.scale.eighths),
            watch: watch)
        var frame = poster_jpeg_frame()
        var reader = try Self.open(file, present: input.arriving == nil ? nil : input.present.count, &frame)
        // The limits were checked for the header that the probe read.
        let expected = (plan.source.width, plan.source.height, plan.source.sampling.count)
        guard (Int(frame.width), Int(frame.height), Int(frame.component_count)) == expected else {
            throw .damaged(reason: "the JPEG has two frame headers that differ")
        }
        let colour = try Self.colour(frame.colours)
        var layout = poster_jpeg_layout()
        var scans: JPEGGroupReader?
        if ownScans, let table, table.scans.count <= watch.limits.maxScans {
            try watch.check()
            scans = Self.start(table, of: file, reader.pointer, layout: &layout)
            if scans == nil { reader = try Self.open(file, &frame) }
        }
        if scans == nil { try Self.start(file, reader.pointer, layout: &layout) }
        self.layout = PlaneLayout(layout, colour: colour)
        self.colourTag = colourTag
        self.file = file
        self.reader = reader
        self.arriving = input.arriving
        self.scans = scans
    }

    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) -> Bool {
        try self.feed()
        if let isRegular = self.scans?.readGroup(), !isRegular {
            try self.leaveToLibrary(groups: targets, strides: strides)
        }
        let status = poster_jpeg_reader_read_group(self.reader.pointer, targets, strides)
        try Self.check(status, self.reader.pointer, self.file.watch)
        guard status != .hungry else { return false }
        self.groupsRead += 1
        return true
    }

    mutating func finish() throws(CodecError) {
        // The last group is read only if all scans end with it.
        guard self.scans == nil else { return }
        try self.feed()
        let status = poster_jpeg_reader_finish(self.reader.pointer)
        try Self.check(status, self.reader.pointer, self.file.watch)
        guard status != .hungry else { throw .truncated }
    }

    /// Restarts with libjpeg and reads the same groups again up to the current one.
    private mutating func leaveToLibrary(
        groups targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]
    ) throws(CodecError) {
        self.scans = nil
        var frame = poster_jpeg_frame()
        self.reader = try Self.open(self.file, &frame)
        var layout = poster_jpeg_layout()
        try Self.start(self.file, self.reader.pointer, layout: &layout)
        for _ in 0..<self.groupsRead {
            let status = poster_jpeg_reader_read_group(self.reader.pointer, targets, strides)
            try Self.check(status, self.reader.pointer, self.file.watch)
        }
    }

    /// - Parameter present: The number of arrived bytes; `nil` if all have arrived.
    private static func open(
        _ file: File, present: Int? = nil, _ frame: inout poster_jpeg_frame
    ) throws(CodecError) -> LibraryObject {
        guard !file.bytes.isEmpty, let base = file.bytes.bindMemory(to: UInt8.self).baseAddress else {
            throw .truncated
        }
        let reader = try LibraryObject(poster_jpeg_reader_create(), destroy: poster_jpeg_reader_destroy)
        let pointer = reader.pointer
        if let present { try Self.check(poster_jpeg_reader_feed(pointer, present, 0), pointer, file.watch) }
        let read = file.ranges.map { poster_byte_range(offset: $0.lowerBound, length: $0.count) }
        let opened = file.watch.withHandle {
            poster_jpeg_reader_open(
                pointer, base, read, read.count, file.lacksEnd ? 1 : 0, $0,
                UInt32(clamping: file.watch.limits.maxScans), &frame)
        }
        try Self.check(opened, pointer, file.watch)
        guard opened != .hungry else { throw .truncated }
        return reader
    }

    private static func start(
        _ file: File, _ reader: OpaquePointer, layout: inout poster_jpeg_layout
    ) throws(CodecError) {
        try Self.check(
            poster_jpeg_reader_start(reader, file.eighths, file.smooths ? 1 : 0, &layout), reader, file.watch)
    }

    /// - Returns: `nil` if libjpeg cannot start this way; the reader is unusable then.
    private static func start(
        _ scans: JPEGScanSet, of file: File, _ reader: OpaquePointer, layout: inout poster_jpeg_layout
    ) -> JPEGGroupReader? {
        var group = poster_jpeg_group()
        guard poster_jpeg_reader_start_group(reader, file.eighths, &layout, &group) == .ok else { return nil }
        return JPEGGroupReader(scans, of: file.bytes, group: group, layout: layout)
    }

    private func feed() throws(CodecError) {
        guard let extent = self.arriving?.extent else { return }
        let status = poster_jpeg_reader_feed(self.reader.pointer, extent.count, extent.isComplete ? 1 : 0)
        try Self.check(status, self.reader.pointer, self.file.watch)
    }

    /// - Throws: ``CodecError/truncated`` until the header has arrived, up to the first scan.
    private static func checkHeader(of bytes: UnsafeRawBufferPointer) throws(CodecError) {
        guard bytes.count >= 2 else { throw .truncated }
        var parser = JPEGParser(bytes)
        // libjpeg reports errors of the header, as for a whole file.
        guard let found = try? parser.header() else { return }
        if case .needsMoreBytes = found { throw .truncated }
    }

    private static func check(
        _ status: poster_status, _ reader: OpaquePointer, _ watch: RenderWatch
    ) throws(CodecError) {
        try watch.check(
            status, corrupt: .damaged(reason: String(cString: poster_jpeg_reader_message(reader))),
            misuse: .internalError(reason: "JPEGReader used out of order"))
    }

    private static func colour(_ colours: poster_jpeg_colours) throws(CodecError) -> PlaneModel.Colour {
        switch colours {
        case .gray: .gray
        case .yCbCr: .yCbCr
        case .rgb: .rgb
        case .cmyk: .cmyk
        case .ycck: .ycck
        case .unknown: throw .unsupported("JPEG with an unknown colour space")
        }
    }

    /// - Throws: ``CodecError/overLimit(_:value:limit:)`` if the profile is too large.
    private static func colourTag(
        of bytes: UnsafeRawBufferPointer, header: ImageHeader, limits: CodecLimits
    ) throws(CodecError) -> ColourTag {
        guard header.hasICCProfile else { return .sRGB }
        var segments = JPEGSegments(bytes)
        var profile = JPEGProfileSegments()
        while case .segment(let segment) = try segments.next(), segment.marker != 0xDA {
            if segment.marker == 0xE2 { profile.note(segments.payload(of: segment), at: segment.payload) }
        }
        guard let ranges = profile.ranges else { return .sRGB }
        try limits.check(profileBytes: ranges.byteCount)
        return .profile(ranges.bytes(of: bytes, limit: ranges.byteCount))
    }
}

extension PlaneLayout {
    fileprivate init(_ layout: poster_jpeg_layout, colour: PlaneModel.Colour) {
        let all = [layout.planes.0, layout.planes.1, layout.planes.2, layout.planes.3]
        self.planes = all.prefix(Int(layout.component_count)).map { plane in
            PlaneShape(
                width: Int(plane.width), height: Int(plane.height), rowBytes: Int(plane.row_bytes),
                rowsPerGroup: Int(plane.rows_per_group),
                samplesPerPixel: (
                    across: Double(plane.horizontal * plane.block_side) / Double(layout.max_horizontal * 8),
                    down: Double(plane.vertical * plane.block_side) / Double(layout.max_vertical * 8)
                ), scale: Double(plane.block_side) / 8)
        }
        self.groupCount = Int(layout.group_count)
        self.model = PlaneModel(colour: colour)
    }
}
