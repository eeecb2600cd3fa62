import CodecTesting
import Testing

@testable import PosterCodec

/// Memory allocated by the encoders of AVIF and JPEG XL, and of refined JPEGs, also while their likeness is measured.
@Suite(.computingThread) struct AVIFMemoryTests {
    private static let sizes = [(92, 138), (342, 513), (780, 1170), (1100, 1100), (4096, 16)]

    private static let encodings: [(OutputFormat, EncodingEffort, Quality?)] = [
        (.avif, .first, nil), (.avif, .refined, nil), (.jxl, .first, nil), (.jxl, .refined, nil),
        (.jpeg, .refined, nil), (.jpeg, .refined, .likeness(.auto)),
    ]

    @Test(
        "an encoding takes no more than 1.25 times its estimate and 2 MiB",
        .disabled(if: PeakMemory.isHidden, "AddressSanitizer takes more itself"),
        .enabled(if: PeakMemory.isAvailable, "the kernel cannot reset the peak"))
    func estimatesHold() async {
        // In a separate process, without other allocations.
        await #expect(processExitsWith: .success) {
            ProcessHeap.configure()
            _ = try PNGFile(width: 64, height: 64).bytes.rendered(width: 32, format: .avif)
            for (width, height) in AVIFMemoryTests.sizes {
                let noise = try AVIFMemoryTests.noise(width, height)
                var alpha = PNGFile(width: width, height: height, colourType: 6)
                alpha.dataChunkLength = 1 << 20
                for bytes in [noise, alpha.bytes] {
                    for (format, encoding, quality) in AVIFMemoryTests.encodings {
                        let plan = try RenderPlan(
                            bytes.header(), target: RenderTarget(format: format, quality: quality),
                            encoding: encoding)
                        var count = 0
                        let growth = try #require(
                            try PeakMemory.growth { count = try bytes.rendered(as: plan).bytes.count })
                        #expect(
                            growth <= plan.workingBytes / 4 * 5 + (2 << 20) + count,
                            "\(width)×\(height) \(format) \(encoding): \(growth) where \(plan.workingBytes) were planned"
                        )
                    }
                }
            }
        }
    }

    /// A picture of noise, which needs the most encoded bytes.
    private static func noise(_ width: Int, _ height: Int) throws -> [UInt8] {
        var random = SeededRandom(seed: 7)
        var samples: [Double] = []
        for _ in 0..<width * height { samples.append(Double(UInt8(truncatingIfNeeded: random.next()))) }
        return try FormulaPicture(width: width, height: height) { [samples] x, y in
            .init(luma: samples[(Int(y) * width + Int(x)) % samples.count], blue: samples[Int(x)], red: samples[Int(y)])
        }.jpeg(quality: 95)
    }
}
