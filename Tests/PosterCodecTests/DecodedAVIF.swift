import CCodecTesting

@testable import PosterCodec

/// An AVIF decoded by libavif, independently of the codec under test.
struct DecodedAVIF {
    let header: codec_testing_avif_header
    /// Luma, two chroma planes unless gray, and alpha if there is any; row by row, without padding.
    let planes: [[UInt8]]

    /// - Returns: `nil` if libavif rejects the file.
    init?(_ bytes: [UInt8]) {
        var header = codec_testing_avif_header()
        // No test has more pixels.
        var samples = [UInt8](repeating: 0, count: 4 << 20)
        guard codec_testing_avif(bytes, bytes.count, &header, &samples, samples.count) != 0 else { return nil }
        let (width, height) = (Int(header.width), Int(header.height))
        let side = Int(header.chroma_side)
        var counts = [width * height]
        if side > 0 { counts += Array(repeating: (width + side - 1) / side * ((height + side - 1) / side), count: 2) }
        if header.has_alpha != 0 { counts.append(width * height) }
        var start = 0
        self.planes = counts.map { count in
            defer { start += count }
            return Array(samples[start..<start + count])
        }
        self.header = header
    }
}
