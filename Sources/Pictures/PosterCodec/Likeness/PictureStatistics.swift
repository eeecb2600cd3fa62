import Glibc

/// Statistics of a picture before encoding from which ``LikenessModel`` predicts how visible an encoder's errors are.
package struct PictureStatistics {
    /// Maximum numbers of blocks of each plane that are read: they bound the time to about 0.3 ms.
    private static let lumaBlocks = 700
    private static let chromaBlocks = 350
    /// The steps of two quantisers, a fine and a coarse one, in levels.
    private static let steps: [Float] = [10, 26]
    /// Blocks of luma are counted by variance: below 2 they are flat.
    private static let variances: [Float] = [0.25, 2, 8, 32, 128, 512, 2048]

    /// In the order of the model's coefficients: the logarithm of the number of pixels; the mean of luma, and the
    /// shares of blocks with less than each variance, 0...1; the bands of luma; the errors of each step; the bands of
    /// red chroma; the errors of each step in blue chroma.
    let values: [Float]

    /// - Parameter planes: Luma, or luma and two planes of chroma of half the size; alpha is not read.
    init(_ planes: [Plane], hasLimitedRange: Bool) {
        let luma = planes[0]
        let offset: Float = hasLimitedRange ? 16 : 0
        let gain: Float = hasLimitedRange ? 255.0 / 219 : 1
        let chromaGain: Float = hasLimitedRange ? 255.0 / 224 : 1
        func lightness(_ mean: Float) -> Float { min(max((mean - offset) * gain, 0), 255) }
        var (light, count): (Float, Float) = (0, 0)
        var shares = [Float](repeating: 0, count: Self.variances.count)
        var bands = BandStatistics()
        var errors = Self.steps.map(ErrorStatistics.init)
        Self.forBlocks(of: luma, atMost: Self.lumaBlocks, gain: gain) { block, _, _ in
            let level = lightness(block.mean / gain)
            let power = block.bands
            bands.add(inner: power.inner, middle: power.middle, all: power.all)
            for index in errors.indices { errors[index].add(block, power, slope: Self.slopes[Int(level)]) }
            for index in shares.indices where power.all < 64 * Self.variances[index] { shares[index] += 1 }
            light += level / 255
            count += 1
        }
        var red = BandStatistics()
        var blueErrors = Self.steps.map(ErrorStatistics.init)
        if planes.count > 2 {
            Self.forBlocks(of: planes[2], atMost: Self.chromaBlocks, gain: chromaGain) { block, _, _ in
                let power = block.bands
                red.add(inner: power.inner, middle: power.middle, all: power.all)
            }
            Self.forBlocks(of: planes[1], atMost: Self.chromaBlocks, gain: chromaGain) { block, x, y in
                let slope = Self.slopes[Int(lightness(luma.mean(aroundBlockAt: (2 * x, 2 * y))))]
                let power = block.bands
                for index in blueErrors.indices { blueErrors[index].add(block, power, slope: slope) }
            }
        }
        if planes.count < 3 || planes[1].blockCount == 0 {
            let gray = BlockSpectrum([UInt8](repeating: 128, count: 64), stride: 8, gain: 1)
            for index in blueErrors.indices { blueErrors[index].add(gray, gray.bands, slope: Self.slopes[128]) }
        }
        let size = Float(luma.width * luma.height).portableLogarithm
        self.values =
            [size, light / max(1, count)] + shares.map { $0 / max(1, count) } + bands.values
            + errors.flatMap(\.values) + red.values + blueErrors.flatMap(\.values)
    }

    /// Calls `body` with evenly distributed blocks of the plane, and the places of their first samples.
    private static func forBlocks(
        of plane: Plane, atMost limit: Int, gain: Float, _ body: (BlockSpectrum, Int, Int) -> Void
    ) {
        let (across, down) = (plane.width / BlockSpectrum.side, plane.height / BlockSpectrum.side)
        let step = max(1, (plane.blockCount + limit - 1) / limit)
        plane.samples.withUnsafeBufferPointer { samples in
            for number in 0..<across * down / step {
                // Not always in the same columns.
                let index = number * step + (5 * number) % step
                let (x, y) = (index % across * BlockSpectrum.side, index / across * BlockSpectrum.side)
                let start = samples.baseAddress! + y * plane.stride + x
                body(BlockSpectrum(start, stride: plane.stride, gain: gain), x, y)
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

extension Plane {
    /// The number of whole blocks.
    fileprivate var blockCount: Int { (self.width / BlockSpectrum.side) * (self.height / BlockSpectrum.side) }

    /// The mean of luma where a block of chroma of half the size is, by four samples.
    fileprivate func mean(aroundBlockAt place: (x: Int, y: Int)) -> Float {
        var sum: Float = 0
        for y in [4, 12] {
            let row = min(place.y + y, self.height - 1) * self.stride
            for x in [4, 12] { sum += Float(self.samples[row + min(place.x + x, self.width - 1)]) }
        }
        return sum / 4
    }
}
