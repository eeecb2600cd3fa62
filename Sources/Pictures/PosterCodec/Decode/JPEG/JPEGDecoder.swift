import CPosterCodecs

/// Decodes the planes of a JPEG with libjpeg, at a scale of its inverse DCT.
struct JPEGDecoder: ~Copyable, PlaneSource {
    let layout: PlaneLayout
    let colourTag: ColourTag
    private let reader: LibraryObject
    private let watch: RenderWatch

    /// Reads the header and starts decoding; reads all scans of a multi-scan file.
    ///
    /// - Parameter ranges: The ranges of the bytes that are read as the file; nil for those of the plan.
    /// - Throws: ``CodecError/damaged(reason:)`` also when libjpeg reads another header than the plan was made from.
    init(
        _ bytes: UnsafeRawBufferPointer, plan: RenderPlan, watch: RenderWatch, ranges: [Range<Int>]? = nil
    ) throws(CodecError) {
        guard !bytes.isEmpty, let base = bytes.bindMemory(to: UInt8.self).baseAddress else { throw .truncated }
        let colourTag = try Self.colourTag(of: bytes, header: plan.source, limits: watch.limits)
        var ranges = ranges ?? plan.scans?.ranges(in: bytes.count) ?? [0..<bytes.count]
        // The plan's ranges are of another file: read all of this one.
        if let last = ranges.last, last.upperBound > bytes.count { ranges = [0..<bytes.count] }
        let reader = try LibraryObject(poster_jpeg_reader_create(), destroy: poster_jpeg_reader_destroy)
        let pointer = reader.pointer
        let read = ranges.map { poster_byte_range(offset: $0.lowerBound, length: $0.count) }
        var frame = poster_jpeg_frame()
        let opened = watch.withHandle {
            poster_jpeg_reader_open(
                pointer, base, read, read.count, $0, UInt32(clamping: watch.limits.maxScans), &frame)
        }
        try Self.check(opened, pointer, watch)
        // The limits were checked for the header that the probe read.
        let expected = (plan.source.width, plan.source.height, plan.source.sampling.count)
        guard (Int(frame.width), Int(frame.height), Int(frame.component_count)) == expected else {
            throw .damaged(reason: "the JPEG has two frame headers that differ")
        }
        let colour = try Self.colour(frame.colours)
        var layout = poster_jpeg_layout()
        // No smoothing of dropped scans, which would take longer than reading them.
        let started = poster_jpeg_reader_start(
            pointer, UInt32(plan.scale.eighths), read.count == 1 ? 1 : 0, &layout)
        try Self.check(started, pointer, watch)
        self.layout = PlaneLayout(layout, colour: colour)
        self.colourTag = colourTag
        self.watch = watch
        self.reader = reader
    }

    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) {
        let status = poster_jpeg_reader_read_group(self.reader.pointer, targets, strides)
        try Self.check(status, self.reader.pointer, self.watch)
    }

    mutating func finish() throws(CodecError) {
        try Self.check(poster_jpeg_reader_finish(self.reader.pointer), self.reader.pointer, self.watch)
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
        case .unknown: throw .unsupported("JPEG of unknown colours")
        }
    }

    /// - Throws: ``CodecError/overLimit(_:value:limit:)`` for a profile that is too large.
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
                ))
        }
        self.groupCount = Int(layout.group_count)
        self.model = PlaneModel(colour: colour)
    }
}
