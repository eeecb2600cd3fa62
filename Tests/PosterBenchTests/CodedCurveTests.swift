import PosterCodec
import Testing

@testable import PosterBench

@Suite struct CodedCurveTests {
    /// The bytes double when 1 - likeness halves.
    private static let curve = CodedCurve(
        coder: .reference, pixels: 100,
        points: [(60, 1000, 0.92, 4.0), (80, 2000, 0.96, 6.0), (90, 4000, 0.98, 8.0)].map {
            quality, bytes, likeness, time in
            CodedPoint(
                quality: quality, byteCount: bytes, milliseconds: time,
                likeness: .init(ssimulacra2: 100 * likeness, luma: likeness))
        })

    @Test("an encoding's own likeness gives its own bytes", arguments: [(0.92, 1000.0), (0.96, 2000), (0.98, 4000)])
    func atPoints(likeness: Double, bytes: Double) {
        #expect(abs(Self.curve.value(at: likeness, by: .ssim).bytes - bytes) < 1e-6)
    }

    @Test("between and beyond encodings the bytes grow as they do next to them")
    func between() {
        let between = Self.curve.value(at: 1 - 0.04 / 2.0.squareRoot(), by: .ssim)
        #expect(abs(between.bytes - 2000 * 2.0.squareRoot()) < 1e-6 && abs(between.milliseconds - 7) < 1e-9)
        let above = Self.curve.value(at: 0.99, by: .ssim)
        #expect(abs(above.bytes - 8000) < 1e-6 && above.milliseconds == 8)
        #expect(abs(Self.curve.value(at: 0.84, by: .ssim).bytes - 500) < 1e-6)
    }

    @Test("the logarithm of the bytes is linear in SSIMULACRA2")
    func bySSIMULACRA2() {
        #expect(abs(Self.curve.value(at: 94, by: .ssimulacra2).bytes - 2_000_000.0.squareRoot()) < 1e-6)
        #expect(abs(Self.curve.value(at: 98, by: .ssimulacra2).bytes - 4000) < 1e-6)
    }

    @Test("every coder's default quality is in the middle of those that are measured")
    func qualities() {
        for coder in FormatCoder.own {
            #expect(coder.qualities.count == 5 && coder.qualities[2] == coder.format.defaultQuality)
        }
    }
}
