import CPosterCodecs

/// Decodes the planes of a JPEG with libjpeg, at a scale of its inverse DCT.
///
/// Borrows its input and the watch, so it must not outlive the closure in which it was made.
struct JPEGDecoder: ~Copyable, PlaneSource {
    private let handle: Handle
    private let maxScans: Int
    private let watch: RenderWatch
    let layout: PlaneLayout

    /// Reads the header and starts decoding; reads all scans of a multi-scan file.
    ///
    /// - Parameters:
    ///   - bytes: The encoded picture. It must stay valid for as long as the reader lives.
    ///   - plan: Made from this picture's header.
    ///   - ranges: The ranges of the bytes that are read as the file; nil for those of the plan.
    /// - Throws: ``CodecError/damaged(reason:)`` also when libjpeg reads another header than the plan was made from.
    init(
        _ bytes: UnsafeRawBufferPointer, plan: RenderPlan, limits: CodecLimits, watch: RenderWatch,
        ranges: [Range<Int>]? = nil
    ) throws(CodecError) {
        guard !bytes.isEmpty, let base = bytes.bindMemory(to: UInt8.self).baseAddress else { throw .truncated }
        var read = ranges ?? plan.scans?.ranges(in: bytes.count) ?? [0..<bytes.count]
        // The plan's ranges are of another file: read all of this one.
        if let last = read.last, last.upperBound > bytes.count { read = [0..<bytes.count] }
        let created = try Handle(read)
        let (handle, maxScans) = (created.pointer, limits.maxScans)
        var frame = poster_jpeg_frame()
        let opened = watch.withHandle {
            poster_jpeg_reader_open(
                handle, base, created.ranges.baseAddress!, created.ranges.count, $0, UInt32(clamping: maxScans), &frame)
        }
        try Self.check(opened, handle, maxScans: maxScans, watch: watch)
        // The limits were checked for the header that the probe read.
        let expected = (plan.source.width, plan.source.height, plan.source.sampling.count)
        guard (Int(frame.width), Int(frame.height), Int(frame.component_count)) == expected else {
            throw .damaged(reason: "the JPEG has two frame headers that differ")
        }
        let colour = try Self.colour(frame.colours)
        var layout = poster_jpeg_layout()
        let started = poster_jpeg_reader_start(
            // No smoothing of dropped scans, which would take longer than reading them.
            handle, UInt32(plan.scale.eighths), read.count == 1 ? 1 : 0, &layout)
        try Self.check(started, handle, maxScans: maxScans, watch: watch)
        self.layout = PlaneLayout(layout, colour: colour)
        self.maxScans = maxScans
        self.watch = watch
        self.handle = created
    }

    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) {
        let status = poster_jpeg_reader_read_group(self.handle.pointer, targets, strides)
        try Self.check(status, self.handle.pointer, maxScans: self.maxScans, watch: self.watch)
    }

    mutating func finish() throws(CodecError) {
        let status = poster_jpeg_reader_finish(self.handle.pointer)
        try Self.check(status, self.handle.pointer, maxScans: self.maxScans, watch: self.watch)
    }

    /// Owns the decompressor. A type of its own, because a struct's deinit does not run when its initializer throws.
    private struct Handle: ~Copyable {
        let pointer: OpaquePointer
        /// The ranges that libjpeg reads; their address must not change while the decompressor lives.
        let ranges: UnsafeMutableBufferPointer<poster_byte_range>

        init(_ ranges: [Range<Int>]) throws(CodecError) {
            guard let pointer = poster_jpeg_reader_create() else { throw .outOfMemory }
            self.pointer = pointer
            self.ranges = .allocate(capacity: ranges.count)
            _ = self.ranges.initialize(
                from: ranges.map { poster_byte_range(offset: $0.lowerBound, length: $0.count) })
        }

        deinit {
            poster_jpeg_reader_destroy(self.pointer)
            self.ranges.deallocate()
        }
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

    private static func check(
        _ status: poster_jpeg_status, _ handle: OpaquePointer, maxScans: Int, watch: RenderWatch
    ) throws(CodecError) {
        switch status {
        case .ok: return
        case .truncated: throw .truncated
        case .corrupt: throw .damaged(reason: String(cString: poster_jpeg_reader_message(handle)))
        case .stopped: throw watch.error
        case .tooManyScans: throw .overLimit(.scans, value: maxScans &+ 1, limit: maxScans)
        case .outOfMemory: throw .outOfMemory
        case .misuse: throw .internalError(reason: "JPEGReader used out of order")
        }
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
