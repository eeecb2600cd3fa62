import CCodecTesting
import CodecTesting

@testable import PosterCodec

/// A JPEG XL decoded by libjxl.
struct DecodedJXL {
    let header: codec_testing_jxl_header
    let pixels: PixelBuffer

    /// - Returns: `nil` if libjxl rejects the file.
    init?(_ bytes: [UInt8]) {
        var header = codec_testing_jxl_header()
        // No test has more pixels.
        var samples = [UInt8](repeating: 0, count: 4 << 20)
        guard codec_testing_jxl(bytes, bytes.count, &header, &samples, samples.count) != 0 else { return nil }
        var pixels = PixelBuffer(
            width: Int(header.width), height: Int(header.height), channels: Int(header.channels))
        pixels.samples = Array(samples.prefix(pixels.samples.count))
        self.header = header
        self.pixels = pixels
    }

    /// The mean absolute difference between the samples of both pictures, in rows of `rows`.
    func meanDistance(to other: PixelBuffer, rows: Range<Int>) -> Double {
        let stride = self.pixels.width * self.pixels.channels
        let range = rows.lowerBound * stride..<rows.upperBound * stride
        return self.pixels.samples.meanDifference(from: other.samples, in: range)
    }
}
