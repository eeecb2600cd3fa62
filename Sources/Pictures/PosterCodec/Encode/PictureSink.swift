/// Consumes a picture in bands of whole rows, from the top.
protocol PictureSink: ~Copyable {
    mutating func write(_ band: DownsampledPicture) throws(CodecError)
}

/// Encodes each band of a picture as JPEG.
struct JPEGSink: ~Copyable, PictureSink {
    private let plan: RenderPlan
    private let watch: RenderWatch
    /// Created with the first band, which shows whether the picture is gray.
    private var writer: JPEGWriter?

    init(_ plan: RenderPlan, watch: RenderWatch) {
        self.plan = plan
        self.watch = watch
    }

    mutating func write(_ band: DownsampledPicture) throws(CodecError) {
        let planes = band.planes(for: self.plan)
        if self.writer == nil { self.writer = try self.makeWriter(planeCount: planes.count) }
        try self.writer!.write(planes, watch: self.watch)
    }

    /// The file, after at least one band.
    consuming func finish() throws(CodecError) -> EncodedBytes {
        guard let writer = self.writer.take() else { throw .internalError(reason: "a picture without rows") }
        return try writer.finish()
    }

    private func makeWriter(planeCount: Int) throws(CodecError) -> JPEGWriter {
        try JPEGEncoder(quality: self.plan.quality, halvesChroma: self.plan.halvesChroma)
            .writer(width: self.plan.size.width, height: self.plan.size.height, planeCount: planeCount)
    }
}

/// Collects the planes for an encoder that needs all of them at once.
struct PlanesSink: PictureSink {
    let plan: RenderPlan
    private var planes: [Plane] = []

    init(_ plan: RenderPlan) {
        self.plan = plan
    }

    /// Returns and releases the planes, so that the encoder is their only owner and may write to them.
    mutating func take() -> [Plane] {
        defer { self.planes = [] }
        return self.planes
    }

    mutating func write(_ band: DownsampledPicture) throws(CodecError) {
        let rows = band.planes(for: self.plan)
        guard !self.planes.isEmpty else {
            self.planes = rows
            let (count, height) = (rows[0].height, self.plan.size.height)
            for index in self.planes.indices where count < height {
                self.planes[index].samples.reserveCapacity(rows[index].samples.count * (height / count + 1))
            }
            return
        }
        for (index, plane) in rows.enumerated() { try self.planes[index].append(plane) }
    }
}

/// Stores a picture that is delivered as one band.
struct SinglePictureSink: PictureSink {
    private(set) var picture: DownsampledPicture?

    mutating func write(_ band: DownsampledPicture) throws(CodecError) {
        guard self.picture == nil else { throw .internalError(reason: "a picture that comes in bands") }
        self.picture = band
    }
}

/// A picture, or a band of it, at the size of the result before encoding.
enum DownsampledPicture {
    /// Luma, or Y′CbCr, in the range and subsampling of the plan's format.
    case planes([Plane])
    /// Pixels in sRGB.
    case pixels(PixelBuffer)

    /// The planes for JPEG and WebP, padded on the right: luma, two of chroma unless gray, and alpha if the format has
    /// it.
    func planes(for plan: RenderPlan) -> [Plane] {
        switch self {
        case .planes(let planes): return planes
        case .pixels(let pixels):
            let converter = YCbCrConverter(isLimitedRange: plan.format == .webp, halvesChroma: plan.halvesChroma)
            var planes = converter.planes(plan.format.hasAlpha ? pixels : pixels.flattened(on: plan.background))
            for index in planes.indices { planes[index].padRight() }
            return planes
        }
    }

    /// The pixels for PNG.
    func pixels() -> PixelBuffer {
        switch self {
        case .pixels(let pixels): return pixels
        case .planes(let planes):
            var gray = PixelBuffer(width: planes[0].width, height: planes[0].height, channels: 1)
            for y in 0..<gray.height {
                let start = y * planes[0].stride
                gray.samples.replaceSubrange(
                    y * gray.width..<(y + 1) * gray.width, with: planes[0].samples[start..<start + gray.width])
            }
            return gray
        }
    }
}
