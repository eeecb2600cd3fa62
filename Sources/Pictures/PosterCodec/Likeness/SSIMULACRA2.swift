import Glibc

/// The likeness of a picture to the one that it was made from: SSIMULACRA 2.1 (J. Sneyers, Cloudinary, 2022, updated
/// 2023). 100 for equal pictures; about 90 visually lossless, 70 high, 50 medium and 30 low quality; negative values
/// occur.
///
/// Rows are compared as they come, at six scales. The result does not depend on the CPU. Pictures with a side below 113
/// pixels have fewer scales and, as published, other weights: their values are not comparable.
package struct SSIMULACRA2: ~Copyable {
    private static let scaleCount = 6
    /// The lowest side of pictures with all scales, in pixels.
    static let lowestComparableSide = 113
    private let scale: LikenessScale
    private let light: [Float]

    /// - Parameters:
    ///   - width: In pixels, at least 8.
    ///   - height: The same.
    init(width: Int, height: Int, kernel: LikenessKernel = .fastest) {
        self.scale = LikenessScale(width: width, height: height, count: Self.scaleCount, kernel: kernel)
        self.light = SRGB.linear.map { Float($0) }
    }

    /// The bytes that a comparison of pictures of a width allocates, whatever their height: 1.2 to 1.5 KiB a
    /// column of posters.
    package static func memory(width: Int) -> Int {
        var (bytes, width) = (0, width)
        for _ in 0..<Self.scaleCount {
            bytes += 4 * LikenessScale.rowCount * LikenessRows.stride(width)
            width = (width + 1) / 2
        }
        return bytes
    }

    /// Adds the next row from the top, of gray or RGB.
    ///
    /// - Parameters:
    ///   - original: `width` pixels of `channels` interleaved samples, as is `copy`.
    ///   - channels: 1 or 3.
    func add(_ original: UnsafePointer<UInt8>, _ copy: UnsafePointer<UInt8>, channels: Int) {
        self.light.withUnsafeBufferPointer { light in
            for (index, pixels) in [original, copy].enumerated() {
                for channel in 0..<3 {
                    let row = self.scale.nextRow(3 * index + channel)
                    let samples = pixels + (channels == 3 ? channel : 0)
                    for x in 0..<self.scale.width { row[x] = light[Int(samples[x &* channels])] }
                }
            }
        }
        self.scale.rowWasWritten()
    }

    /// The result, after all rows.
    var score: Double {
        var scales: [[[Double]]] = []
        var scale: LikenessScale? = self.scale
        while let current = scale {
            scales.append(current.norms)
            scale = current.next
        }
        return LikenessWeights.score((0..<3).flatMap { channel in scales.flatMap { $0[channel] } })
    }

    /// Compares two encoded pictures, decoded in full.
    ///
    /// - Returns: `nil` if a side is below 8 pixels, or if the sizes differ.
    /// - Throws: As ``render(_:plan:limits:control:)``.
    package static func compare(files original: RawSpan, _ copy: RawSpan) throws(CodecError) -> Double? {
        func pixels(_ file: RawSpan) throws(CodecError) -> PixelBuffer {
            let target = RenderTarget(format: .png, effort: .full)
            let plan = try RenderPlan(inspect(file, limits: .init()), target: target)
            return try decodePicture(file, plan: plan, limits: .init(), control: RenderControl()).pixels()
        }
        let watch = RenderWatch(RenderControl(), limits: .init())
        return try Self.compare(pixels(original), pixels(copy), watch: watch)
    }

    /// Compares two pictures of one size. Transparent ones are compared on dark and on light gray; the lower value
    /// counts.
    ///
    /// - Returns: `nil` if a side is below 8 pixels, which has no value, or if the sizes differ.
    /// - Throws: ``CodecError/stopped``, or the limit of CPU time.
    static func compare(
        _ original: PixelBuffer, _ copy: PixelBuffer, watch: RenderWatch, kernel: LikenessKernel = .fastest
    ) throws(CodecError) -> Double? {
        guard (original.width, original.height) == (copy.width, copy.height),
            min(original.width, original.height) >= LikenessScale.lowestSide
        else { return nil }
        var lowest: Double?
        // 0.1 and 0.9 of the range.
        for level: UInt8 in original.channels == 4 || copy.channels == 4 ? [26, 230] : [0] {
            let ground = RenderTarget.Background(red: level, green: level, blue: level)
            let value = try self.compareOpaque(
                original.flattened(on: ground), copy.flattened(on: ground), watch: watch, kernel: kernel)
            lowest = min(lowest ?? value, value)
        }
        return lowest
    }

    private static func compareOpaque(
        _ original: PixelBuffer, _ copy: PixelBuffer, watch: RenderWatch, kernel: LikenessKernel
    ) throws(CodecError) -> Double {
        let channels = max(original.channels, copy.channels)
        let (original, copy) = (original.expanded(to: channels), copy.expanded(to: channels))
        let comparison = SSIMULACRA2(width: original.width, height: original.height, kernel: kernel)
        let rowBytes = original.width * channels
        for y in 0..<original.height {
            if y % 16 == 0 { try watch.check() }
            original.samples.withUnsafeBufferPointer { original in
                copy.samples.withUnsafeBufferPointer { copy in
                    comparison.add(
                        original.baseAddress! + y * rowBytes, copy.baseAddress! + y * rowBytes, channels: channels)
                }
            }
        }
        return comparison.score
    }
}

extension PixelBuffer {
    /// Gray as RGB if `channels` is 3.
    fileprivate func expanded(to channels: Int) -> PixelBuffer {
        guard self.channels < channels else { return self }
        var all = PixelBuffer(width: self.width, height: self.height, channels: channels)
        for index in all.samples.indices { all.samples[index] = self.samples[index / channels] }
        return all
    }
}
