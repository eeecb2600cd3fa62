import CodecTesting

@testable import PosterCodec

extension [UInt8] {
    /// The file rendered for `target`, before encoding: gray, RGB or RGBA.
    func pixels(_ target: RenderTarget = RenderTarget(format: .png)) throws(CodecError) -> PixelBuffer {
        try self.decoded(as: RenderPlan(self.header(), target: target)).pixels()
    }
}

extension PixelBuffer {
    init(width: Int, height: Int, channels: Int, pixel: (_ x: Int, _ y: Int) -> [UInt8]) {
        self.init(width: width, height: height, channels: channels)
        self.samples = (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y) } }
    }

    subscript(x: Int, y: Int) -> [UInt8] {
        let start = (y * self.width + x) * self.channels
        return Array(self.samples[start..<start + self.channels])
    }

    /// The largest difference from one colour.
    func distance(to colour: [UInt8]) -> Int {
        self.samples.indices.map { abs(Int(self.samples[$0]) - Int(colour[$0 % self.channels])) }.max() ?? 0
    }

    /// The largest difference from another picture; `nil` if its shape differs.
    func distance(to other: PixelBuffer) -> Int? {
        guard (self.width, self.height, self.channels) == (other.width, other.height, other.channels) else {
            return nil
        }
        return self.samples.largestDifference(from: other.samples)
    }
}

extension Plane {
    init(width: Int, height: Int, sample: (_ x: Int, _ y: Int) -> UInt8) {
        self.init(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width { self.samples[y * self.stride + x] = sample(x, y) }
        }
    }
    subscript(x: Int, y: Int) -> UInt8 { self.samples[y * self.stride + x] }
}
