import CCodecTesting
import CodecTesting
import Testing

@testable import PosterCodec

/// A JPEG of noise and gradients with scans of any kind, encoded by libjpeg.
struct ScannedJPEG: Sendable, CustomTestStringConvertible {
    struct Scan: Sendable {
        let components: [Int]
        let band: ClosedRange<Int>
        var high = 0
        var low = 0

        init(_ components: [Int], _ band: ClosedRange<Int>, high: Int = 0, low: Int = 0) {
            (self.components, self.band, self.high, self.low) = (components, band, high, low)
        }
    }

    let testDescription: String
    var width = 53
    var height = 41
    var factors = [(2, 2), (1, 1), (1, 1)]
    var quality = 80
    var restartInterval = 0
    var scans: [Scan]

    static let usual = [
        Scan([0, 1, 2], 0...0, low: 1), Scan([0], 1...5, low: 2), Scan([2], 1...63, low: 1), Scan([1], 1...63, low: 1),
        Scan([0], 6...63, low: 2), Scan([0], 1...63, high: 2, low: 1), Scan([0, 1, 2], 0...0, high: 1),
        Scan([2], 1...63, high: 1), Scan([1], 1...63, high: 1), Scan([0], 1...63, high: 1),
    ]

    /// Each bit in a separate scan, with bands of different ends.
    static let refined = [
        Scan([0], 0...0, low: 3), Scan([1, 2], 0...0, low: 1), Scan([0], 1...63, low: 3),
        Scan([0], 0...0, high: 3, low: 2), Scan([1], 1...63), Scan([0], 1...20, high: 3, low: 2),
        Scan([0], 21...63, high: 3, low: 2), Scan([0], 0...0, high: 2, low: 1), Scan([0], 1...63, high: 2, low: 1),
        Scan([2], 1...63, low: 1), Scan([0, 1, 2], 0...0, high: 1), Scan([2], 1...63, high: 1),
        Scan([0], 1...63, high: 1),
    ]

    static let gray = [
        Scan([0], 0...0, low: 1), Scan([0], 1...63, low: 2), Scan([0], 1...63, high: 2, low: 1),
        Scan([0], 0...0, high: 1), Scan([0], 1...63, high: 1),
    ]

    static let separate = [Scan([0], 0...63), Scan([1], 0...63), Scan([2], 0...63)]

    static let all = [
        ScannedJPEG(testDescription: "4:2:0", scans: usual),
        ScannedJPEG(testDescription: "4:4:4", factors: [(1, 1), (1, 1), (1, 1)], scans: usual),
        ScannedJPEG(testDescription: "4:2:2 with refined scans", factors: [(2, 1), (1, 1), (1, 1)], scans: refined),
        ScannedJPEG(testDescription: "4:4:0", factors: [(1, 2), (1, 1), (1, 1)], quality: 100, scans: refined),
        ScannedJPEG(testDescription: "chroma larger than luma", factors: [(1, 1), (2, 2), (1, 2)], scans: usual),
        ScannedJPEG(testDescription: "whole units", width: 64, height: 48, scans: usual),
        ScannedJPEG(testDescription: "one block", width: 1, height: 1, scans: usual),
        ScannedJPEG(testDescription: "restart markers", restartInterval: 1, scans: usual),
        ScannedJPEG(testDescription: "restart markers in rows", quality: 95, restartInterval: 5, scans: refined),
        ScannedJPEG(testDescription: "gray", factors: [(1, 1)], scans: gray),
        ScannedJPEG(testDescription: "gray in units of four", factors: [(2, 2)], quality: 20, scans: gray),
        ScannedJPEG(testDescription: "sequential", quality: 60, scans: separate),
        ScannedJPEG(
            testDescription: "sequential, chroma together", quality: 100, restartInterval: 3,
            scans: [Scan([0], 0...63), Scan([1, 2], 0...63)]),
        ScannedJPEG(
            testDescription: "four components", factors: [(1, 1), (1, 1), (1, 1), (1, 1)],
            scans: [Scan([0, 1, 2, 3], 0...0)] + (0..<4).map { Scan([$0], 1...63) }),
        ScannedJPEG(
            testDescription: "long runs of empty blocks", width: 300, height: 160, quality: 5, scans: refined),
    ]

    var bytes: [UInt8] {
        get throws {
            var format = codec_testing_jpeg_format()
            (format.width, format.height) = (UInt32(self.width), UInt32(self.height))
            format.component_count = Int32(self.factors.count)
            for (index, factor) in self.factors.enumerated() {
                withUnsafeMutableBytes(of: &format.horizontal) {
                    $0.bindMemory(to: Int32.self)[index] = Int32(factor.0)
                }
                withUnsafeMutableBytes(of: &format.vertical) {
                    $0.bindMemory(to: Int32.self)[index] = Int32(factor.1)
                }
            }
            format.quality = Int32(self.quality)
            format.restart_interval = UInt32(self.restartInterval)
            format.scan_count = Int32(self.scans.count)
            let scans = self.scans.map { scan in
                var result = codec_testing_scan()
                result.component_count = Int32(scan.components.count)
                for (index, component) in scan.components.enumerated() {
                    withUnsafeMutableBytes(of: &result.components) {
                        $0.bindMemory(to: Int32.self)[index] = Int32(component)
                    }
                }
                (result.first, result.last) = (Int32(scan.band.lowerBound), Int32(scan.band.upperBound))
                (result.high_bit, result.low_bit) = (Int32(scan.high), Int32(scan.low))
                return result
            }
            let samples = self.samples
            let file = [UInt8](unsafeUninitializedCapacity: 1 << 17) { buffer, count in
                count =
                    buffer.baseAddress.map {
                        codec_testing_jpeg(&format, scans, samples, $0, buffer.count)
                    } ?? 0
            }
            try #require(!file.isEmpty)
            return file
        }
    }

    private var samples: [UInt8] {
        var random = SeededRandom(seed: 7)
        var samples: [UInt8] = []
        for y in 0..<self.height {
            for x in 0..<self.width {
                for component in self.factors.indices {
                    let isNoisy = (x / 16 + y / 16) % 2 == 0
                    let noise = isNoisy ? Int.random(in: -90...90, using: &random) : 0
                    samples.append(UInt8(clamping: 40 + 3 * x + 2 * y * (component + 1) % 140 + noise))
                }
            }
        }
        return samples
    }
}
