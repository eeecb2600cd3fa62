/// Converts full-size planes to sRGB pixels.
struct SRGBConverter {
    let model: PlaneModel
    /// The conversion to sRGB; `nil` if colours are undeclared or do not differ visibly from sRGB.
    let transform: ColourTransform?

    /// The conversion from the colour space of `tag`, for planes of `model`.
    static func transform(for tag: ColourTag, model: PlaneModel) -> ColourTransform? {
        let input: ColourTransform.Input =
            switch model.colour {
            case .gray: .gray
            case .yCbCr, .rgb: .rgb
            case .cmyk, .ycck: .cmyk
            }
        return ColourTransformCache.shared.transform(for: tag, input: input)
    }

    /// The channels of the result; gray stays one channel unless its profile is not neutral.
    private var channels: Int {
        if self.model.hasAlpha { return 4 }
        return self.model.colour == .gray && (self.transform == nil || self.transform?.grayLevels != nil) ? 1 : 3
    }

    /// - Parameters:
    ///   - planes: The planes of the model, all of one size.
    ///   - memory: Kept rows, used if they have the planes' width.
    func pixels(
        _ planes: [Plane], memory: ConversionRows? = nil, watch: RenderWatch
    ) throws(CodecError) -> PixelBuffer {
        let (width, height) = (planes[0].width, planes[0].height)
        var buffer = PixelBuffer(width: width, height: height, channels: self.channels)
        let memory = ConversionRows.rows(width: width, keeping: memory)
        let decoder = YCbCrToRGB(self.model.matrix, isLimitedRange: self.model.isLimitedRange)
        for y in 0..<height {
            if y % 64 == 0 { try watch.check() }
            self.read(planes, y: y, into: memory.upper, unpremultiplier: memory.unpremultiplier)
            self.decode(memory.upper, decoder: decoder)
            buffer.samples.withUnsafeMutableBufferPointer {
                self.store(memory.upper, into: $0.baseAddress! + y * width * buffer.channels)
            }
        }
        return buffer
    }

    /// Reads a row of each plane and divides colours by alpha.
    private func read(
        _ planes: [Plane], y: Int, into rows: borrowing ChannelRows, unpremultiplier: borrowing Unpremultiplier
    ) {
        let inks = self.model.colour.planeCount
        if self.model.hasAlpha {
            planes[inks].withRow(y) { rows.alpha.update(from: $0, count: rows.width) }
            unpremultiplier.prepare(rows.alpha)
        }
        for ink in 0..<inks {
            planes[ink].withRow(y) { row in
                if self.model.hasAlpha {
                    unpremultiplier.divide(row, by: rows.alpha, into: rows[ink])
                } else {
                    rows[ink].update(from: row, count: rows.width)
                }
            }
        }
    }

    /// Converts Y′CbCr and YCCK to RGB and CMYK, and gray and RGB to full range.
    private func decode(_ rows: borrowing ChannelRows, decoder: YCbCrToRGB) {
        switch self.model.colour {
        case .gray: if self.model.isLimitedRange { decoder.decodeGray(rows[0], width: rows.width) }
        case .yCbCr: decoder.decode(rows[0], rows[1], rows[2], width: rows.width)
        case .ycck:
            decoder.decode(rows[0], rows[1], rows[2], width: rows.width)
            // The RGB is the complement of the inks.
            for ink in 0..<3 { rows.complement(ink) }
        case .rgb:
            guard self.model.isLimitedRange else { return }
            for ink in 0..<3 { decoder.decodeGray(rows[ink], width: rows.width) }
        case .cmyk: break
        }
    }

    private func store(_ rows: borrowing ChannelRows, into pixels: UnsafeMutablePointer<UInt8>) {
        let inks = self.model.colour.planeCount
        if let levels = self.transform?.grayLevels {
            rows.map(0, to: levels)
        } else if let transform {
            rows.pack(inks, into: rows.packed)
            guard self.model.hasAlpha else { return transform.apply(rows.packed, to: pixels, count: rows.width) }
            transform.apply(rows.packed, to: rows.converted, count: rows.width)
            rows.unpack(rows.converted)
            return rows.packWithAlpha(into: pixels)
        }
        switch (self.model.colour, self.model.hasAlpha) {
        case (.gray, false): return pixels.update(from: rows[0], count: rows.width)
        case (.gray, true): for ink in 1..<3 { rows[ink].update(from: rows[0], count: rows.width) }
        case (.cmyk, _), (.ycck, _): rows.multiplyByBlack()
        default: break
        }
        if self.model.hasAlpha { rows.packWithAlpha(into: pixels) } else { rows.pack(3, into: pixels) }
    }
}

extension Plane {
    fileprivate func withRow(_ y: Int, _ body: (UnsafePointer<UInt8>) -> Void) {
        self.samples.withUnsafeBufferPointer { body($0.baseAddress! + y * self.stride) }
    }
}

/// Divides premultiplied rows by alpha.
struct Unpremultiplier: ~Copyable {
    /// 2²⁴ / alpha, rounded up, which is exact for every numerator that occurs; 0 for alpha 0.
    private static let reciprocals = [0] + (1...255).map { (UInt32(1 << 24) + $0 - 1) / $0 }
    /// The reciprocals of the current row's alphas.
    private let scales: ScratchMemory<UInt32>
    private let width: Int

    init(width: Int) {
        self.width = width
        self.scales = ScratchMemory(count: width, repeating: 0)
    }

    /// Looks up the reciprocals of a row. Call once per row, before dividing its channels.
    func prepare(_ alphas: UnsafePointer<UInt8>) {
        Self.reciprocals.withUnsafeBufferPointer { reciprocals in
            let scales = self.scales.start
            for x in 0..<self.width { scales[x] = reciprocals[Int(alphas[x])] }
        }
    }

    /// Divides a channel. Samples larger than alpha, due to ringing, become 255.
    func divide(
        _ row: UnsafePointer<UInt8>, by alphas: UnsafePointer<UInt8>, into result: UnsafeMutablePointer<UInt8>
    ) {
        let scales = self.scales.start
        for x in 0..<self.width {
            let alpha = Int32(alphas[x])
            let numerator = UInt32(bitPattern: min(Int32(row[x]), alpha) &* 255 &+ alpha &>> 1)
            result[x] = UInt8(truncatingIfNeeded: (numerator &* scales[x]) &>> 24)
        }
    }
}

/// Converts rows of Y′CbCr to RGB (ITU-T H.273; for BT.601 ITU-T T.871).
struct YCbCrToRGB {
    // 16 fractional bits; expands limited range to full range.
    private let luma, chroma, redFromRed, greenFromBlue, greenFromRed, blueFromBlue: Int32
    /// The offset of luma: its black level, and half a level for rounding.
    private let base: Int32
    private let isYCgCo: Bool

    init(_ matrix: YCbCrMatrix = .bt601, isLimitedRange: Bool) {
        func fixed(_ value: Double) -> Int32 { Int32((65536 * value).rounded()) }
        let (red, blue) = matrix.weights
        let green = 1 - red - blue
        self.isYCgCo = matrix == .yCgCo
        let chroma = isLimitedRange ? 255 / 224.0 : 1
        self.luma = fixed(isLimitedRange ? 255 / 219.0 : 1)
        self.base = (isLimitedRange ? -16 * self.luma : 0) + 32768
        self.chroma = fixed(chroma)
        self.redFromRed = fixed(chroma * 2 * (1 - red))
        self.greenFromBlue = fixed(chroma * 2 * (1 - blue) * blue / green)
        self.greenFromRed = fixed(chroma * 2 * (1 - red) * red / green)
        self.blueFromBlue = fixed(chroma * 2 * (1 - blue))
    }

    private func decodeYCgCo(
        _ first: UnsafeMutablePointer<UInt8>, _ second: UnsafeMutablePointer<UInt8>,
        _ third: UnsafeMutablePointer<UInt8>, width: Int
    ) {
        for x in 0..<width {
            let y = Int32(first[x]) &* self.luma &+ self.base
            let green = self.chroma &* (Int32(second[x]) &- 128)
            let orange = self.chroma &* (Int32(third[x]) &- 128)
            first[x] = Self.sample(y &- green &+ orange)
            second[x] = Self.sample(y &+ green)
            third[x] = Self.sample(y &- green &- orange)
        }
    }

    /// Converts in place: luma becomes red, blue chroma green, red chroma blue.
    func decode(
        _ first: UnsafeMutablePointer<UInt8>, _ second: UnsafeMutablePointer<UInt8>,
        _ third: UnsafeMutablePointer<UInt8>, width: Int
    ) {
        if self.isYCgCo { return self.decodeYCgCo(first, second, third, width: width) }
        for x in 0..<width {
            let y = Int32(first[x]) &* self.luma &+ self.base
            let blue = Int32(second[x]) &- 128
            let red = Int32(third[x]) &- 128
            first[x] = Self.sample(y &+ self.redFromRed &* red)
            second[x] = Self.sample(y &- self.greenFromBlue &* blue &- self.greenFromRed &* red)
            third[x] = Self.sample(y &+ self.blueFromBlue &* blue)
        }
    }

    /// Expands gray from limited to full range in place.
    func decodeGray(_ row: UnsafeMutablePointer<UInt8>, width: Int) {
        for x in 0..<width { row[x] = Self.sample(Int32(row[x]) &* self.luma &+ self.base) }
    }

    private static func sample(_ value: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: min(255, max(0, value &>> 16)))
    }
}
