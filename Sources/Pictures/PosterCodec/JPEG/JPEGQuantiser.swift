/// The quantiser of luma or of both chroma components in a refined JPEG.
struct JPEGQuantiser {
    /// By coefficient in natural order, 1...255.
    let steps: [UInt16]
    /// The weight of errors: bits per step of the quantiser, times the square root of a block's energy; see
    /// ``JPEGComponentBlocks``.
    let errorCost: Float

    /// A step rises with the distance of its frequency from 0, to a limit: flatter than the tables of T.81, annex K,
    /// because the trellis zeroes coefficients of high frequencies anyway.
    ///
    /// - Parameters:
    ///   - isLuma: Whether it is for luma.
    ///   - quality: 1...100.
    ///   - halvesChroma: Whether the picture is 4:2:0.
    init(isLuma: Bool, quality: Int, halvesChroma: Bool) {
        let scale = Self.scale(quality: quality, halvesChroma: halvesChroma)
        // Measured as the smallest at equal SSIMULACRA2. Errors in chroma of full size spread less, and at the
        // qualities that have it, errors cost less.
        let first: Float = isLuma || halvesChroma ? 1 : 2.2
        let (rise, bend): (Float, Float) = isLuma ? (1, 0.08) : (0.8, 0.05)
        self.steps = (0..<64).map { place in
            let (across, down) = (place % 8, place / 8)
            let frequency = Float(across * across + down * down).squareRoot()
            let step = place == 0 ? 0.8 * first : first * (1 + rise * frequency) / (1 + bend * frequency)
            return UInt16(min(max(scale * step, 1), 255) + 0.5)
        }
        self.errorCost = halvesChroma ? isLuma ? 750 : 1100 : isLuma ? 550 : 450
    }

    /// The factor by which a refined file has the SSIMULACRA2 of a first one of the same quality: fitted to posters of
    /// 342 pixels, within one point from quality 30 on.
    private static func scale(quality: Int, halvesChroma: Bool) -> Float {
        // libjpeg's scale: 100 at quality 50, 0 at quality 100.
        let percent = quality < 50 ? 5000 / Float(quality) : Float(200 - 2 * quality)
        return halvesChroma ? 1.05 + 0.085 * percent : 0.1 + 0.0855 * percent
    }
}
