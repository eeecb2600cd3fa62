/// Takes a picture in bands of whole rows, from the top.
protocol PictureSink: ~Copyable {
    mutating func write(_ band: DownsampledPicture) throws(CodecError)
}

/// Encodes a picture as JPEG while it comes.
struct JPEGSink: ~Copyable, PictureSink {
    private let plan: RenderPlan
    private let watch: RenderWatch
    /// From the first band on, which tells whether the picture is gray.
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

    /// - Throws: As an encoder. There must have been a band.
    consuming func finish() throws(CodecError) -> EncodedBytes {
        guard let writer = self.writer.take() else { throw .internalError(reason: "a picture without rows") }
        return try writer.finish()
    }

    private func makeWriter(planeCount: Int) throws(CodecError) -> JPEGWriter {
        try JPEGEncoder(quality: self.plan.quality, halvesChroma: self.plan.halvesChroma)
            .writer(width: self.plan.size.width, height: self.plan.size.height, planeCount: planeCount)
    }
}

/// Keeps the planes that an encoder wants at once.
struct PlanesSink: PictureSink {
    let plan: RenderPlan
    private var planes: [Plane] = []

    init(_ plan: RenderPlan) {
        self.plan = plan
    }

    /// The planes, which nobody else holds then: the encoder writes to them.
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

/// Keeps a picture that comes whole.
struct SinglePictureSink: PictureSink {
    private(set) var picture: DownsampledPicture?

    mutating func write(_ band: DownsampledPicture) throws(CodecError) {
        guard self.picture == nil else { throw .internalError(reason: "a picture that comes in bands") }
        self.picture = band
    }
}

/// A picture as large as the result, before it is encoded.
enum DownsampledPicture {
    /// Luma, or Y′CbCr, just as the plan's format wants it.
    case planes([Plane])
    /// In sRGB.
    case pixels(PixelBuffer)

    /// For JPEG and WebP: luma, two of chroma unless gray, and alpha where the format has it and the picture, too. Padded
    /// on the right.
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

    /// For PNG.
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
