import CodecTesting
import Testing

@testable import PosterCodec

/// A JPEG encoded while its rows are decoded has the same bytes.
@Suite struct StreamedRenderTests {
    /// The file encoded from complete planes.
    static func whole(_ bytes: [UInt8], _ target: RenderTarget) throws -> [UInt8] {
        let plan = try RenderPlan(bytes.header(), target: target).choosingScans(in: bytes.span.bytes)
        let planes = try bytes.decoded(as: plan).planes(for: plan)
        switch plan.format {
        case .webp:
            let watch = RenderWatch(.init(), limits: .init())
            return try WebPEncoder(plan.encoderPlan).encode(planes, watch: watch).array
        default:
            return try JPEGEncoder(quality: plan.encoderPlan.quality, halvesChroma: plan.halvesChroma).encode(planes)
        }
    }

    static func streamed(_ bytes: [UInt8], _ target: RenderTarget) throws -> [UInt8] {
        try render(bytes.span.bytes, plan: RenderPlan(bytes.header(), target: target)).bytes
    }

    @Test(
        "a JPEG's planes give the same file, whatever the sides, the chroma and the quality",
        arguments: [(200, 300), (201, 299), (64, 33), (17, 250)], [20, 37, 64])
    func jpegFromPlanes(size: (Int, Int), width: Int) throws {
        let picture = FormulaPicture.waves(width: size.0, height: size.1)
        for (isProgressive, quality) in [(false, 82), (true, 82), (false, 95)] {
            let bytes = try picture.jpeg(quality: 90, isProgressive: isProgressive)
            let target = RenderTarget(width: width, format: .jpeg, quality: .fixed(quality))
            let (streamed, whole) = (try Self.streamed(bytes, target), try Self.whole(bytes, target))
            #expect(streamed == whole, "\(isProgressive), \(quality)")
        }
    }

    @Test(
        "pixels that are converted give the same file as JPEG and as WebP", arguments: [OutputFormat.jpeg, .webp],
        [(90, 140), (91, 65), (40, 32), (5, 70)])
    func fromPixels(format: OutputFormat, size: (Int, Int)) throws {
        for hasAlpha in [false, true] {
            let bytes = PNGFile(width: size.0, height: size.1, colourType: hasAlpha ? 6 : 2).bytes
            for width in [size.0, size.0 / 2 + 1] {
                let target = RenderTarget(width: width, format: format)
                let (streamed, whole) = (try Self.streamed(bytes, target), try Self.whole(bytes, target))
                #expect(streamed == whole, "\(width), \(hasAlpha)")
            }
        }
    }

    @Test("a file given away has the bytes of the file that is copied, and may be freed once")
    func givesFilesAway() throws {
        let bytes = try FormulaPicture.waves(width: 120, height: 90).jpeg(quality: 90)
        for format in OutputFormat.allCases {
            let plan = try RenderPlan(bytes.header(), target: RenderTarget(width: 50, format: format))
            let copy = try render(bytes.span.bytes, plan: plan).bytes
            let memory = try renderFile(bytes.span.bytes, plan: plan).takeBytes().release()
            defer { memory.deallocate() }
            #expect(memory.elementsEqual(copy))
        }
    }
}
