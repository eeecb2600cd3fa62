import CPosterCodecs

/// A libpng decoder. Borrows its input, so it must not outlive the closure in which it was made.
struct LibPNGReader: ~Copyable {
    private let handle: Handle
    private let watch: RenderWatch
    let frame: poster_png_frame

    /// Reads up to the picture's data.
    ///
    /// - Parameters:
    ///   - bytes: The encoded picture. It must stay valid for as long as the decoder lives.
    ///   - gamma: See ``PNGColours/gamma``.
    ///   - watch: Checked whenever libpng reads.
    init(
        _ bytes: UnsafeRawBufferPointer, gamma: Int32, limits: CodecLimits, watch: RenderWatch
    ) throws(CodecError) {
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { throw .truncated }
        let created = try Handle()
        let handle = created.pointer
        let options = poster_png_options(
            max_width: UInt32(clamping: limits.maxWidth), max_height: UInt32(clamping: limits.maxHeight), gamma: gamma)
        var frame = poster_png_frame()
        let opened = withUnsafePointer(to: options) { options in
            watch.withHandle { poster_png_reader_open(handle, base, bytes.count, options, $0, &frame) }
        }
        try Self.check(opened, handle, watch)
        self.watch = watch
        self.frame = frame
        self.handle = created
    }

    /// The bytes of a row.
    var rowBytes: Int { Int(self.frame.width) * Int(self.frame.channels) }

    /// Decodes the next row of the current pass; `row` must have room for ``rowBytes``.
    func readRow(into row: UnsafeMutablePointer<UInt8>) throws(CodecError) {
        try Self.check(poster_png_reader_read_row(self.handle.pointer, row), self.handle.pointer, self.watch)
    }

    /// Reads and checks the rest of the file.
    func finish() throws(CodecError) {
        try Self.check(poster_png_reader_finish(self.handle.pointer), self.handle.pointer, self.watch)
    }

    /// Owns the decoder. A type of its own, because a struct's deinit does not run when its initializer throws.
    private struct Handle: ~Copyable {
        let pointer: OpaquePointer

        init() throws(CodecError) {
            guard let pointer = poster_png_reader_create() else { throw .outOfMemory }
            self.pointer = pointer
        }

        deinit {
            poster_png_reader_destroy(self.pointer)
        }
    }

    private static func check(
        _ status: poster_png_status, _ handle: OpaquePointer, _ watch: RenderWatch
    ) throws(CodecError) {
        switch status {
        case .ok: return
        case .truncated: throw .truncated
        case .corrupt: throw .damaged(reason: String(cString: poster_png_reader_message(handle)))
        case .outOfMemory: throw .outOfMemory
        case .stopped: throw watch.error
        case .misuse: throw .internalError(reason: "PNGDecoder used out of order")
        }
    }
}

/// Decodes rows with libpng, for the few files that are interlaced or have another gamma than sRGB.
final class LibPNGRowDecoder: PNGRowDecoder {
    private let decoder: LibPNGReader
    /// One row of pixels, or all rows of an interlaced picture.
    private let pixels: UnsafeMutablePointer<UInt8>
    private let isInterlaced: Bool
    private var rowsDelivered = 0

    var channels: Int { Int(self.decoder.frame.channels) }

    /// Reads the header, or the whole interlaced picture, whose last pass has pixels of the second row.
    ///
    /// - Parameters:
    ///   - bytes: The encoded picture. It must stay valid for as long as this object lives.
    ///   - header: The picture's header; libpng must read the same size.
    ///   - gamma: See ``PNGColours/gamma``.
    init(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, gamma: Int32, limits: CodecLimits, watch: RenderWatch
    ) throws(CodecError) {
        let decoder = try LibPNGReader(bytes, gamma: gamma, limits: limits, watch: watch)
        let frame = decoder.frame
        guard (Int(frame.width), Int(frame.height)) == (header.width, header.height) else {
            throw .damaged(reason: "libpng understands the PNG's header otherwise")
        }
        let isInterlaced = frame.passes > 1
        let count = decoder.rowBytes * (isInterlaced ? header.height : 1)
        self.pixels = .allocate(capacity: count)
        self.pixels.initialize(repeating: 0, count: count)
        self.isInterlaced = isInterlaced
        self.decoder = decoder
        if isInterlaced { try self.readPasses(watch: watch) }
    }

    deinit {
        self.pixels.deallocate()
    }

    func nextRow() throws(CodecError) -> UnsafePointer<UInt8> {
        defer { self.rowsDelivered += 1 }
        if self.isInterlaced { return UnsafePointer(self.pixels + self.rowsDelivered * self.decoder.rowBytes) }
        try self.decoder.readRow(into: self.pixels)
        return UnsafePointer(self.pixels)
    }

    func finish() throws(CodecError) {
        try self.decoder.finish()
    }

    private func readPasses(watch: RenderWatch) throws(CodecError) {
        for _ in 0..<self.decoder.frame.passes {
            for y in 0..<Int(self.decoder.frame.height) {
                if y % PNGDecoder.rowsPerGroup == 0 { try watch.check() }
                try self.decoder.readRow(into: self.pixels + y * self.decoder.rowBytes)
            }
        }
    }
}
