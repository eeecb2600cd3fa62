import CPosterCodecs

/// Decodes the planes of a WebP, or of an animation's first frame.
///
/// Opaque lossy pictures stay Y′CbCr, scaled by libwebp as planned. Opaque lossless ones become RGB. Pictures with
/// alpha are decoded at full size and premultiplied here, because libwebp's scaling bleeds transparent colours.
struct WebPDecoder: ~Copyable, PlaneSource {
    let layout: PlaneLayout
    let colourTag: ColourTag
    private var decoder: LibWebPReader
    private let samples: poster_webp_samples
    private let deinterleaver: Deinterleaver
    /// The size of the canvas, after scaling.
    private let width, height: Int
    /// The frame's position on the canvas and its size.
    private let frame: (left: Int, top: Int, width: Int, height: Int)
    private var nextRow = 0

    /// Rows of luma, or of pixels, per group; even.
    private static let rowsPerGroup = 4

    /// - Parameter arriving: Has `bytes`; `nil` if the file is complete.
    init(
        _ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch, arriving: ArrivingBytes? = nil
    ) throws(CodecError) {
        let input = DecoderInput(bytes, arriving: arriving)
        let bytes = input.bytes
        var parser = WebPParser(input.present, isWhole: input.arriving == nil)
        guard input.present.count >= 12, case .layout(let file) = try parser.layout() else { throw .truncated }
        // Prefix codes must be counted before libwebp allocates tables for them.
        if input.arriving != nil, file.header.mayHavePrefixCodes { throw .truncated }
        let frame = file.frame
        guard frame.data.upperBound <= bytes.count else { throw .truncated }
        let headerLength = try Self.headerLength(of: file, in: bytes, plan: plan, watch: watch)
        let colourTag = try Self.colourTag(of: input.present, at: file.profile, limits: watch.limits)

        // A frame at an offset is placed on its canvas at full size.
        let scale = file.hasAlpha ? DecodeScale.none : plan.scale
        let bitstream = frame.bitstream
        let samples: poster_webp_samples = file.hasAlpha ? .rgba : bitstream.isLossless ? .rgb : .yuv
        let (width, height) = (scale.decoded(bitstream.width), scale.decoded(bitstream.height))
        let request = poster_webp_request(
            width: UInt32(bitstream.width), height: UInt32(bitstream.height), scaled_width: UInt32(width),
            scaled_height: UInt32(height), samples: samples)
        self.decoder = try LibWebPReader(
            UnsafeRawBufferPointer(rebasing: bytes[frame.data]), request: request, headerLength: headerLength,
            isLossless: bitstream.isLossless, watch: watch,
            arriving: input.arriving.map { ($0, frame.data.lowerBound) })
        self.colourTag = colourTag
        self.samples = samples
        self.deinterleaver = Deinterleaver(channels: samples == .rgba ? 4 : 3)
        (self.width, self.height) = (scale.decoded(file.width), scale.decoded(file.height))
        self.frame = (frame.x, frame.y, width, height)
        self.layout = PlaneLayout(
            file, samples: samples, width: self.width, height: self.height, rowsPerGroup: Self.rowsPerGroup,
            scale: scale)
    }

    /// Reads the prefix codes for which libwebp allocates tables and checks that they were planned.
    ///
    /// - Returns: The bytes of the frame's data before its pixels: lossless data up to the end of its codes, or alpha.
    private static func headerLength(
        of file: WebPLayout, in bytes: UnsafeRawBufferPointer, plan: SourcePlan, watch: RenderWatch
    ) throws(CodecError) -> Int {
        var header = file.header
        header.prefixCodes = plan.source.prefixCodes
        guard header == plan.source else { throw Self.notPlanned }
        var lossless = try file.frame.losslessHeader(in: bytes, watch: watch)
        header.prefixCodes = file.prefixCodes(of: lossless)
        try header.check(watch.limits)
        // A plan made from a file's beginning has no prefix codes.
        guard plan.source.prefixCodes == nil || header == plan.source else { throw Self.notPlanned }
        let start = file.frame.data.lowerBound
        guard file.frame.bitstream.isLossless else { return (file.frame.alpha?.upperBound ?? start) - start }
        return try (lossless?.skipCodes() ?? start) - start
    }

    private static var notPlanned: CodecError { .damaged(reason: "the WebP is not the planned one") }

    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) -> Bool {
        let end = min(self.nextRow + Self.rowsPerGroup, self.height)
        guard self.samples == .yuv else {
            guard try self.readPixels(self.nextRow..<end, into: targets, strides: strides) else { return false }
            self.nextRow = end
            return true
        }
        guard let rows = try self.decoder.rows(end) else { return false }
        defer { self.nextRow = end }
        self.copy(rows.planes.0, stride: rows.strides.0, half: 1, upTo: end, into: targets[0], stride: strides[0])
        self.copy(rows.planes.1, stride: rows.strides.1, half: 2, upTo: end, into: targets[1], stride: strides[1])
        self.copy(rows.planes.2, stride: rows.strides.2, half: 2, upTo: end, into: targets[2], stride: strides[2])
        try self.decoder.drop(before: end)
        return true
    }

    /// Copies a plane's rows of the group that ends before row `end` of luma; `half` is 2 for chroma.
    private func copy(
        _ plane: UnsafePointer<UInt8>?, stride: Int, half: Int, upTo end: Int,
        into target: UnsafeMutablePointer<UInt8>?, stride targetStride: Int
    ) {
        guard let plane, let target else { return }
        let (first, last) = (self.nextRow / half, (end + half - 1) / half)
        let count = (self.width + half - 1) / half
        for y in first..<last {
            (target + (y - first) * targetStride).update(from: plane + y * stride, count: count)
        }
    }

    mutating func finish() throws(CodecError) {
        try self.decoder.finish()
    }

    /// - Returns: `false` if the rows have not arrived.
    private mutating func readPixels(
        _ range: Range<Int>, into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]
    ) throws(CodecError) -> Bool {
        let decoded = range.clamped(to: self.frame.top..<self.frame.top + self.frame.height)
        var rows = poster_webp_rows()
        if !decoded.isEmpty {
            guard let found = try self.decoder.rows(decoded.upperBound - self.frame.top) else { return false }
            rows = found
        }
        let channels = targets.count
        for y in range {
            let row = y - range.lowerBound
            let isInFrame = decoded.contains(y)
            if channels == 4, !isInFrame || self.frame.width < self.width {
                // Transparent outside of the frame.
                for channel in 0..<4 {
                    (targets[channel]! + row * strides[channel]).update(repeating: 0, count: self.width)
                }
            }
            guard isInFrame, let pixels = rows.planes.0 else { continue }
            let from = pixels + (y - self.frame.top) * rows.strides.0
            self.deinterleaver.split(
                from, width: self.frame.width, into: targets, strides: strides, y: row, left: self.frame.left)
        }
        if !decoded.isEmpty { try self.decoder.drop(before: decoded.upperBound - self.frame.top) }
        return true
    }

    /// - Throws: ``CodecError/overLimit(_:value:limit:)`` if the profile is too large.
    private static func colourTag(
        of bytes: UnsafeRawBufferPointer, at range: Range<Int>?, limits: CodecLimits
    ) throws(CodecError) -> ColourTag {
        guard let range, !range.isEmpty else { return .sRGB }
        try limits.check(profileBytes: range.count)
        guard range.upperBound <= bytes.count else { throw .truncated }
        return .profile(Array(bytes[range]))
    }
}

extension PlaneLayout {
    /// - Parameter width: The width of the canvas after scaling.
    fileprivate init(
        _ file: WebPLayout, samples: poster_webp_samples, width: Int, height: Int, rowsPerGroup: Int,
        scale: DecodeScale
    ) {
        self.groupCount = (height + rowsPerGroup - 1) / rowsPerGroup
        // libwebp scales each plane between sizes that are rounded up, so with odd sides chroma's scale is not exactly
        // half of luma's. `half` is 2 for chroma, which has samples as large as two pixels.
        func plane(half: Int) -> PlaneShape {
            func halved(_ side: Int) -> Int { (side + half - 1) / half }
            return PlaneShape(
                width: halved(width), height: halved(height), rowBytes: halved(width),
                rowsPerGroup: rowsPerGroup / half,
                samplesPerPixel: (
                    across: Double(halved(width)) / Double(halved(file.width) * half),
                    down: Double(halved(height)) / Double(halved(file.height) * half)
                ), scale: scale.factor)
        }
        switch samples {
        case .yuv:
            self.planes = [plane(half: 1), plane(half: 2), plane(half: 2)]
            self.model = PlaneModel(colour: .yCbCr, isLimitedRange: true)
        case .rgb:
            self.planes = .init(repeating: plane(half: 1), count: 3)
            self.model = PlaneModel(colour: .rgb)
        case .rgba:
            self.planes = .init(repeating: plane(half: 1), count: 4)
            self.model = PlaneModel(colour: .rgb, hasAlpha: true)
        }
    }
}
