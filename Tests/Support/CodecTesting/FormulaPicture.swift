package import PosterCodec

/// A picture defined by a formula, so that a test can compute the expected value of every pixel.
package struct FormulaPicture: Sendable {
    /// Chroma subsampling; `gray` has no chroma.
    package enum Subsampling: String, CaseIterable, Sendable {
        case gray
        case s444 = "4:4:4"
        case s422 = "4:2:2"
        case s440 = "4:4:0"
        case s420 = "4:2:0"

        /// Luma samples per chroma sample, across.
        package var horizontal: Int { self == .s422 || self == .s420 ? 2 : 1 }
        /// Luma samples per chroma sample, down.
        package var vertical: Int { self == .s440 || self == .s420 ? 2 : 1 }
    }

    /// Full-range Y′CbCr, 0...255 each.
    package struct Colour: Sendable {
        package var luma, blue, red: Double

        package init(luma: Double, blue: Double = 128, red: Double = 128) {
            self.luma = luma
            self.blue = blue
            self.red = red
        }
    }

    package var width, height: Int
    package var subsampling: Subsampling
    /// The colour at a point, in pixels from the top left corner: the first pixel's centre is at (0.5, 0.5).
    package var colour: @Sendable (_ x: Double, _ y: Double) -> Colour

    package init(
        width: Int, height: Int, subsampling: Subsampling = .s420,
        colour: @escaping @Sendable (_ x: Double, _ y: Double) -> Colour
    ) {
        self.width = width
        self.height = height
        self.subsampling = subsampling
        self.colour = colour
    }

    /// The luma plane and, unless the picture is gray, two chroma planes.
    package var planes: [Plane] {
        let luma = self.plane(across: 1, down: 1, \.luma)
        guard self.subsampling != .gray else { return [luma] }
        let (across, down) = (self.subsampling.horizontal, self.subsampling.vertical)
        return [
            luma, self.plane(across: across, down: down, \.blue), self.plane(across: across, down: down, \.red),
        ]
    }

    /// Encodes the picture as a JFIF file.
    ///
    /// - Parameter quality: 1...100; 100 preserves every sample to within one or two.
    package func jpeg(quality: Int = 100, isProgressive: Bool = false) throws(CodecError) -> [UInt8] {
        var encoder = JPEGEncoder(quality: quality)
        encoder.isProgressive = isProgressive
        encoder.lumaFactors.horizontal = self.subsampling.horizontal
        encoder.lumaFactors.vertical = self.subsampling.vertical
        return try encoder.encode(self.planes)
    }

    /// Samples are centred on the pixels that share them (JFIF).
    private func plane(across: Int, down: Int, _ component: KeyPath<Colour, Double>) -> Plane {
        var plane = Plane(width: (self.width + across - 1) / across, height: (self.height + down - 1) / down)
        for y in 0..<plane.height {
            for x in 0..<plane.width {
                let value = self.colour((Double(x) + 0.5) * Double(across), (Double(y) + 0.5) * Double(down))
                plane.samples[y * plane.stride + x] = UInt8(min(max(value[keyPath: component].rounded(), 0), 255))
            }
        }
        return plane
    }
}

extension FormulaPicture {
    package static func plain(
        width: Int, height: Int, subsampling: Subsampling = .s420, colour: Colour = Colour(luma: 77, blue: 90, red: 200)
    ) -> FormulaPicture {
        FormulaPicture(width: width, height: height, subsampling: subsampling) { _, _ in colour }
    }

    /// Soft gradients that differ from side to side and from corner to corner.
    package static func gradient(width: Int, height: Int, subsampling: Subsampling = .s420) -> FormulaPicture {
        let (right, bottom) = (Double(width), Double(height))
        return FormulaPicture(width: width, height: height, subsampling: subsampling) { x, y in
            Colour(
                luma: 30 + 130 * x / right + 60 * y / bottom, blue: 60 + 120 * y / bottom,
                red: 200 - 110 * x / right - 40 * y / bottom)
        }
    }
}
