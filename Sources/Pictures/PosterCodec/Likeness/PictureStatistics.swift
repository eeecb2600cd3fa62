import Glibc

/// Statistics of a picture before encoding from which ``LikenessModel`` predicts how visible an encoder's errors are.
package struct PictureStatistics {
    /// Maximum numbers of blocks that are read: they bound the time to about 0.2 ms.
    private static let lumaBlocks = 700
    private static let chromaBlocks = 350
    /// The steps of two quantisers, a fine and a coarse one, in levels.
    private static let steps: [Float] = [10, 26]
    /// A block of luma is flat if its variance is less.
    private static let flatVariance: Float = 2

    /// In the order of the model's coefficients: the logarithm of the number of pixels; the mean of luma, and the share
    /// of flat blocks, 0...1 each; the bands of luma; the errors of each step; the bands of red chroma.
    let values: [Float]

    /// - Parameter planes: Luma, or luma and two planes of chroma of half the size; alpha is not read.
    init(_ planes: [Plane], hasLimitedRange: Bool) {
        let luma = planes[0]
        let offset: Float = hasLimitedRange ? 16 : 0
        let gain: Float = hasLimitedRange ? 255.0 / 219 : 1
        var (light, flat, count): (Float, Float, Float) = (0, 0, 0)
        var bands = BandStatistics()
        var errors = Self.steps.map(ErrorStatistics.init)
        Self.forBlocks(of: luma, atMost: Self.lumaBlocks, gain: gain) { block in
            let level = min(max(block.mean - offset * gain, 0), 255)
            let power = block.bands
            bands.add(inner: power.inner, middle: power.middle, all: power.all)
            for index in errors.indices { errors[index].add(block, power, slope: Self.slopes[Int(level)]) }
            light += level / 255
            if power.all < 64 * Self.flatVariance { flat += 1 }
            count += 1
        }
        var red = BandStatistics()
        if planes.count > 2 {
            Self.forBlocks(of: planes[2], atMost: Self.chromaBlocks, gain: hasLimitedRange ? 255.0 / 224 : 1) { block in
                let power = block.bands
                red.add(inner: power.inner, middle: power.middle, all: power.all)
            }
        }
        let size = Float(luma.width * luma.height).portableLogarithm
        self.values =
            [size, light / max(1, count), flat / max(1, count)] + bands.values + errors.flatMap(\.values) + red.values
    }

    /// Calls `body` with evenly distributed blocks of the plane.
    private static func forBlocks(
        of plane: Plane, atMost limit: Int, gain: Float, _ body: (BlockSpectrum) -> Void
    ) {
        let (across, down) = (plane.width / BlockSpectrum.side, plane.height / BlockSpectrum.side)
        let step = max(1, (across * down + limit - 1) / limit)
        plane.samples.withUnsafeBufferPointer { samples in
            for number in 0..<across * down / step {
                // Not always in the same columns.
                let index = number * step + (5 * number) % step
                let (x, y) = (index % across * BlockSpectrum.side, index / across * BlockSpectrum.side)
                body(
                    BlockSpectrum(samples.baseAddress! + y * plane.stride + x, stride: plane.stride, gain: gain))
            }
        }
    }

    /// The change of perceived lightness a level of sRGB: of XYB's cube root with its bias.
    private static let slopes: [Float] = {
        let lightness = SRGB.linear.map { cbrt($0 + 0.0037930732552754493) }
        return (0..<256).map { level in
            let (below, above) = (max(level - 1, 0), min(level + 1, 255))
            return Float((lightness[above] - lightness[below]) / Double(above - below))
        }
    }()
}

extension PictureStatistics {
    /// The statistics of an original at a width, from which the model is made.
    package static func values(
        of bytes: RawSpan, _ header: ImageHeader, width: Int
    ) throws(CodecError) -> [Float] {
        let target = RenderTarget(width: width, format: .jpeg, quality: .likeness(.auto))
        let plan = try RenderPlan(header, target: target).choosingScans(in: bytes)
        let picture = try decodePicture(bytes, plan: plan, limits: .init(), control: RenderControl())
        return PictureStatistics(picture.planes(for: plan), hasLimitedRange: false).values
    }
}
