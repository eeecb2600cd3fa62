import CPosterCodecs

/// Decodes rows with libpng, for the few files that are interlaced or have another gamma than sRGB.
final class LibPNGRowDecoder: PNGRowDecoder {
    private let reader: LibraryObject
    private let watch: RenderWatch
    private let frame: poster_png_frame
    /// One row of pixels, or all rows of an interlaced picture.
    private let pixels: ScratchMemory<UInt8>
    private var rowsDelivered = 0

    /// Reads the header, or the whole interlaced picture: its second row needs the last pass.
    init(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, gamma: Int32, watch: RenderWatch
    ) throws(CodecError) {
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { throw .truncated }
        self.reader = try LibraryObject(poster_png_reader_create(), destroy: poster_png_reader_destroy)
        self.watch = watch
        let pointer = self.reader.pointer
        let options = poster_png_options(
            max_width: UInt32(clamping: watch.limits.maxWidth), max_height: UInt32(clamping: watch.limits.maxHeight),
            gamma: gamma)
        var frame = poster_png_frame()
        let opened = withUnsafePointer(to: options) { options in
            watch.withHandle { poster_png_reader_open(pointer, base, bytes.count, options, $0, &frame) }
        }
        try Self.check(opened, pointer, watch)
        guard (Int(frame.width), Int(frame.height)) == (header.width, header.height) else {
            throw .damaged(reason: "libpng reads another size from the PNG's header")
        }
        self.frame = frame
        self.pixels = ScratchMemory(
            count: Int(frame.width) * Int(frame.channels) * (frame.passes > 1 ? header.height : 1), repeating: 0)
        if self.isInterlaced { try self.readPasses() }
    }

    var channels: Int { Int(self.frame.channels) }

    private var rowBytes: Int { Int(self.frame.width) * self.channels }

    private var isInterlaced: Bool { self.frame.passes > 1 }

    func nextRow() throws(CodecError) -> UnsafePointer<UInt8>? {
        defer { self.rowsDelivered += 1 }
        if self.isInterlaced { return UnsafePointer(self.pixels.start + self.rowsDelivered * self.rowBytes) }
        try self.readRow(into: self.pixels.start)
        return UnsafePointer(self.pixels.start)
    }

    func finish() throws(CodecError) {
        try Self.check(poster_png_reader_finish(self.reader.pointer), self.reader.pointer, self.watch)
    }

    private func readPasses() throws(CodecError) {
        for _ in 0..<self.frame.passes {
            for y in 0..<Int(self.frame.height) {
                if y % PNGDecoder.rowsPerGroup == 0 { try self.watch.check() }
                try self.readRow(into: self.pixels.start + y * self.rowBytes)
            }
        }
    }

    /// Decodes the next row of the current pass.
    private func readRow(into row: UnsafeMutablePointer<UInt8>) throws(CodecError) {
        try Self.check(poster_png_reader_read_row(self.reader.pointer, row), self.reader.pointer, self.watch)
    }

    private static func check(
        _ status: poster_status, _ reader: OpaquePointer, _ watch: RenderWatch
    ) throws(CodecError) {
        try watch.check(
            status, corrupt: .damaged(reason: String(cString: poster_png_reader_message(reader))),
            misuse: .internalError(reason: "PNGDecoder used out of order"))
    }
}
