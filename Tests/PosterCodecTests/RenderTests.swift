import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct RenderTests {
    @Test(
        "a rendered file has exactly the size that was planned", arguments: [(1, 1), (7, 11), (37, 53), (64, 16)],
        OutputFormat.allCases)
    func hasThePlannedSize(size: (Int, Int), format: OutputFormat) throws {
        for subsampling in FormulaPicture.Subsampling.allCases {
            let picture = FormulaPicture.gradient(width: size.0, height: size.1, subsampling: subsampling)
            let file = try picture.jpeg(quality: 80)
            for width in 1...size.0 + 1 {
                let picture = try file.rendered(width: width, format: format)
                let kept = min(width, size.0)
                let height = max(1, (2 * size.1 * kept + size.0) / (2 * size.0))
                #expect((picture.size.width, picture.size.height) == (kept, height))
                #expect(picture.encodedSize == [kept, height], "\(subsampling), width \(width)")
                #expect(picture.format == format)
            }
        }
    }

    @Test("extreme shapes are rendered, too", arguments: OutputFormat.allCases)
    func rendersExtremeShapes(format: OutputFormat) throws {
        let cases = [
            ((3000, 1), 16, [16, 1]), ((1, 3000), 16, [1, 3000]), ((3000, 2), 1, [1, 1]), ((2, 3000), 1, [1, 1500]),
        ]
        for (size, width, expected) in cases {
            for orientation in Orientation.allCases {
                let stored = orientation.rawValue >= 5 ? (size.1, size.0) : size
                var file = BlockJPEG(width: stored.0, height: stored.1)
                file.segments = [.exif(orientation: UInt16(orientation.rawValue))]
                let picture = try file.bytes.rendered(width: width, format: format)
                #expect(picture.encodedSize == expected, "\(size), \(orientation)")
            }
        }
    }

    @Test(
        "a rendered JPEG is upright baseline 4:2:0, and gray stays gray",
        arguments: FormulaPicture.Subsampling.allCases)
    func rendersPlainJPEG(subsampling: FormulaPicture.Subsampling) throws {
        let file = try FormulaPicture.gradient(width: 60, height: 40, subsampling: subsampling).jpeg()
        let turned = file.splicing(.exif(orientation: 6), .icc)
        let header = try turned.rendered(width: 30).bytes.header()
        #expect((header.width, header.height) == (30, 45))
        #expect(header.orientation == .upright)
        #expect(!header.isProgressive)
        #expect(header.colourModel == (subsampling == .gray ? .gray : .yCbCr))
        #expect(header.subsampling == (subsampling == .gray ? nil : "4:2:0"))
    }

    @Test("what was rendered shows the original's colours", arguments: FormulaPicture.Subsampling.allCases)
    func keepsColours(subsampling: FormulaPicture.Subsampling) throws {
        let picture = FormulaPicture.plain(width: 50, height: 70, subsampling: subsampling)
        let again = try picture.jpeg().rendered(width: 25).bytes.planes(width: nil)
        for (plane, value) in zip(again, [77, 90, 200] as [UInt8]) {
            #expect(plane.range.lowerBound >= value - 2 && plane.range.upperBound <= value + 2)
        }
    }

    @Test("the same render gives the same bytes, a lower quality fewer", arguments: OutputFormat.allCases)
    func isDeterministic(format: OutputFormat) throws {
        let picture = FormulaPicture(width: 90, height: 90) { x, y in
            .init(luma: (x * y).truncatingRemainder(dividingBy: 256), blue: 2 * x, red: 2 * y)
        }
        let file = try picture.jpeg()
        let first = try file.rendered(width: 80, format: format)
        #expect(try file.rendered(width: 80, format: format).bytes == first.bytes)
        let header = try file.header()
        guard format != .png else { return }
        var last = Int.max
        for quality in [100, 90, 60, 20, 1] {
            let plan = try RenderPlan(header, target: RenderTarget(width: 80, format: format, quality: .fixed(quality)))
            let count = try file.rendered(as: plan).bytes.count
            #expect(count < last, "quality \(quality)")
            last = count
        }
    }

    @Test("the stages are timed by the clock that was given")
    func timesTheStages() throws {
        let clock = Ticks()
        let file = try FormulaPicture.gradient(width: 60, height: 40).jpeg()
        let timed = try file.rendered(width: 30, control: RenderControl(now: { clock.next() }))
        #expect(timed.timings.decode > 0 && timed.timings.resample > 0 && timed.timings.encode > 0)
        #expect(try file.rendered(width: 30).timings == StageTimings())
    }
}
