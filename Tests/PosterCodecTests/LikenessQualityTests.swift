import CodecTesting
import Glibc
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct LikenessQualityTests {
    private static let lossy = OutputFormat.allCases.filter { $0 != .png }

    private static func render(
        _ bytes: [UInt8], width: Int, _ format: OutputFormat, _ quality: Quality, _ encoding: EncodingEffort = .first
    ) throws -> [UInt8] {
        let target = RenderTarget(width: width, format: format, quality: quality)
        return try bytes.rendered(as: RenderPlan(bytes.header(), target: target, encoding: encoding)).bytes
    }

    @Test("a quality is low, auto, high or 1 to 100")
    func forms() {
        #expect(Likeness.allCases.map { Quality($0.rawValue) } == Likeness.allCases.map { .likeness($0) })
        #expect(Quality("1") == 1 && Quality("100") == 100)
        for text in ["", "0", "101", "best", "Auto", "8.5"] { #expect(Quality(text) == nil, "\(text)") }
        let all = Likeness.allCases.map { Quality.likeness($0) } + Quality.numbers.map { .fixed($0) }
        #expect(Set(all.map(\.description)).count == all.count && Set(all.map(\.fingerprint)).count == all.count)
    }

    @Test(
        "the more alike, the more bytes, in every format, within the numbers that the model may choose",
        arguments: lossy, [EncodingEffort.first, .refined])
    func bytes(format: OutputFormat, encoding: EncodingEffort) throws {
        let bytes = try EncodingEffortTests.original()
        let counts = try Likeness.allCases.map {
            try Self.render(bytes, width: 200, format, .likeness($0), encoding).count
        }
        #expect(counts == counts.sorted() && counts[0] < counts[2])
    }

    @Test("a result is that of the fixed number that the model predicts", arguments: lossy)
    func predicts(format: OutputFormat) throws {
        let bytes = try EncodingEffortTests.original()
        let numbers = LikenessModel.numbers(of: format)
        let result = try Self.render(bytes, width: 200, format, .likeness(.auto))
        // Above, JPEGs of a fixed quality have chroma of full size.
        let same = try numbers.filter { $0 < 90 || format != .jpeg }
            .filter { try Self.render(bytes, width: 200, format, .fixed($0)) == result }
        #expect(!same.isEmpty)
    }

    @Test("pictures of any size and without colours have a number", arguments: lossy)
    func smallPictures(format: OutputFormat) {
        for (width, height) in [(1, 1), (7, 40), (8, 8), (16, 300), (92, 138)] {
            for level: UInt8 in [0, 128, 255] {
                let luma = Plane(width: width, height: height, filledWith: level)
                let chroma = Plane(width: (width + 1) / 2, height: (height + 1) / 2, filledWith: 128)
                for planes in [[luma], [luma, chroma, chroma], [luma, chroma, chroma, luma]] {
                    for likeness in Likeness.allCases {
                        let number = LikenessModel.number(for: likeness, of: planes, as: format)
                        #expect(LikenessModel.numbers(of: format).contains(number))
                    }
                }
            }
        }
    }

    @Test(
        "a gray original keeps its tones in every format and at every effort", arguments: lossy,
        [EncodingEffort.first, .refined])
    func grayTones(format: OutputFormat, encoding: EncodingEffort) throws {
        let bytes = try FormulaPicture.gradient(width: 240, height: 360, subsampling: .gray).jpeg(quality: 95)
        let expected = try Self.render(bytes, width: 120, .png, 100).pixels().rgba()
        let tones = try Self.render(bytes, width: 120, format, .likeness(.high), encoding).pixels().rgba()
        let difference = zip(expected.samples, tones.samples).reduce(0.0) { $0 + Double(abs(Int($1.0) - Int($1.1))) }
        #expect(difference / Double(tones.samples.count) < 3)
    }

    @Test("a gray picture has the statistics of one with flat colours")
    func gray() {
        let luma = Plane(width: 64, height: 96, filledWith: 128)
        let flat = Plane(width: 32, height: 48, filledWith: 128)
        let gray = PictureStatistics([luma], hasLimitedRange: false).values
        let coloured = PictureStatistics([luma, flat, flat], hasLimitedRange: false).values
        #expect(gray.count == coloured.count && gray.count == LikenessModel.center.count)
        for (one, other) in zip(gray, coloured) { #expect(abs(one - other) < 1e-3) }
    }

    @Test("a number has the coarseness that it is chosen by", arguments: lossy)
    func coarseness(format: OutputFormat) {
        for number in LikenessModel.numbers(of: format) {
            let coarseness = LikenessModel.coarseness(of: number, as: format)
            #expect(LikenessModel.number(coarseness: coarseness, as: format) == number)
        }
    }

    @Test("the logarithm of statistics is the natural one")
    func logarithm() {
        for exponent in -14...30 {
            for step in 0..<64 {
                let value = Float(sign: .plus, exponent: exponent, significand: 1 + Float(step) / 64)
                #expect(abs(value.portableLogarithm - logf(value)) <= 2e-7 * max(1, abs(logf(value))), "\(value)")
            }
        }
    }

    @Test("a block's spectrum has the power of its samples, apart from their mean")
    func spectrum() {
        let samples: [UInt8] = (0..<64).map { (index: Int) -> UInt8 in UInt8((index * 37 + index / 8 * 11) % 256) }
        let sum: Int = samples.reduce(0) { (sum: Int, sample: UInt8) -> Int in sum + Int(sample) }
        let mean = Float(sum) / 64
        var power: Float = 0
        for sample in samples {
            let difference = Float(sample) - mean
            power += difference * difference
        }
        let block = BlockSpectrum(samples, stride: 8, gain: 1)
        #expect(abs(block.mean - mean) < 0.01)
        #expect(abs(block.bands.all / power - 1) < 1e-4)
        let levels: [UInt8] = (0..<64).map { (index: Int) -> UInt8 in UInt8(16 * (index % 8)) }
        let ramp = BlockSpectrum(levels, stride: 8, gain: 2)
        #expect(ramp.bands.inner > 0.98 * ramp.bands.all && abs(ramp.mean - 112) < 0.01)
    }

    @Test(
        "a search ends within the tolerance after at most three encodings",
        arguments: lossy, [-25.0, -15, -8])
    func search(format: OutputFormat, slope: Double) {
        let middle = LikenessModel.coarseness(of: 70, as: format)
        for surprise in [-9.0, -3, 0, 4] {
            var search = LikenessSearch(from: 70, to: .auto, as: format)
            var (scores, best): ([Double], Double) = ([], 0)
            while let number = search.next {
                let score = 72 + surprise + slope * (LikenessModel.coarseness(of: number, as: format) - middle)
                scores.append(score)
                if search.take(score) { best = score }
            }
            #expect(scores.count <= LikenessSearch.mostEncodings)
            #expect(best >= 72 - LikenessSearch.tolerance && best < 74, "\(scores)")
        }
    }

    @Test("each encoding of a measured picture has the CPU time of one that is not measured")
    func encodingTime() throws {
        let bytes = try EncodingEffortTests.original()
        /// The CPU time of encoding, in readings of the clock; `limit` is the CPU time of one encoding.
        func time(_ quality: Quality, limit: UInt64 = .max) throws -> UInt64 {
            let target = RenderTarget(width: 200, format: .webp, quality: quality)
            var job = RenderJob(
                source: try bytes.header(), byteCount: bytes.count, targets: [RenderJob.Target(target)],
                scale: try RenderPlan(bytes.header(), target: target).scale)
            job.encoding = .refined
            let picture = try #require(
                try decodeJob(bytes.span.bytes, job: job, control: JobControl(targetCount: 1)).pictures.next())
            var limits = CodecLimits()
            limits.maxCPUNanoseconds = limit
            let ticks = Ticks()
            _ = try picture.encode(limits: limits, control: JobControl(targetCount: 1, cpuTime: ticks.control.now))
            return UInt64(ticks.count)
        }
        let (one, several) = (try time(.fixed(80)), try time(.likeness(.auto)))
        #expect(several > one)
        #expect(throws: Never.self) { try time(.likeness(.auto), limit: several / 2) }
        for (quality, limit) in [(Quality.likeness(.auto), several / 4), (.fixed(80), one / 2)] {
            #expect(throws: CodecError.overLimit(.cpuTime, value: 0, limit: 0)) { try time(quality, limit: limit) }
        }
    }

    @Test("a refined picture is about as alike as it should be", arguments: [OutputFormat.jpeg, .webp, .avif])
    func refined(format: OutputFormat) throws {
        let bytes = try EncodingEffortTests.original()
        let original = try Self.render(bytes, width: 200, .png, .fixed(100))
        let result = try Self.render(bytes, width: 200, format, .likeness(.auto), .refined)
        let score = try #require(try SSIMULACRA2.compare(files: original.span.bytes, result.span.bytes))
        #expect(abs(score - 72) < 3)
    }
}
