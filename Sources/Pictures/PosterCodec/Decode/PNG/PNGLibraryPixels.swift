import CPosterCodecs

/// The pixels as libpng gives them: for the few files that are interlaced, or have another gamma than screens.
final class PNGLibraryPixels: PNGPixels {
    private let decoder: PNGDecoder
    /// One row of pixels, or all of them when the picture is interlaced.
    private let pixels: UnsafeMutablePointer<UInt8>
    private let isInterlaced: Bool
    private var rowsDelivered = 0

    var channels: Int { Int(self.decoder.frame.channels) }

    /// Reads the header; of an interlaced picture the whole, because its last pass has pixels of the second row.
    ///
    /// - Parameters:
    ///   - bytes: The encoded picture. It must stay valid for as long as this object lives.
    ///   - header: The picture's; libpng must read the same size from it.
    ///   - gamma: See ``PNGColours/gamma``.
    init(
        _ bytes: UnsafeRawBufferPointer, header: ImageHeader, gamma: Int32, limits: CodecLimits, watch: RenderWatch
    ) throws(CodecError) {
        let decoder = try PNGDecoder(bytes, gamma: gamma, limits: limits, watch: watch)
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
                if y % PNGReader.rowsPerGroup == 0 { try watch.check() }
                try self.decoder.readRow(into: self.pixels + y * self.decoder.rowBytes)
            }
        }
    }
}
