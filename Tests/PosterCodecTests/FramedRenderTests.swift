import CodecTesting
import Testing

@testable import PosterCodec

/// Orientation, crop and conversion together.
@Suite(.computingThread) struct FramedRenderTests {
    static let width = 96
    static let height = 64

    /// Components of the upright picture, as blocks of 8×8.
    static let upright: @Sendable (_ component: Int, _ x: Int, _ y: Int) -> UInt8 = { component, x, y in
        let gradient = 30 + component * 20 + 8 * x + 4 * y
        return UInt8(gradient + (x * 7 + y * 11) % 17)
    }

    /// The picture, stored so that `orientation` turns it upright.
    static func file(_ orientation: Orientation, components: Int, segments: [JPEGSegment]) -> [UInt8] {
        let (width, height) = orientation.swapsSides ? (Self.height, Self.width) : (Self.width, Self.height)
        var file = BlockJPEG(width: width, height: height, factors: .init(repeating: (1, 1), count: components))
        let (right, bottom) = (Self.width / 8 - 1, Self.height / 8 - 1)
        let draw = Self.upright
        file.value = { component, x, y in
            switch orientation {
            case .upright: draw(component, x, y)
            case .mirrored: draw(component, right - x, y)
            case .upsideDown: draw(component, right - x, bottom - y)
            case .mirroredUpsideDown: draw(component, x, bottom - y)
            case .transposed: draw(component, y, x)
            case .turnedLeft: draw(component, right - y, x)
            case .transversed: draw(component, right - y, bottom - x)
            case .turnedRight: draw(component, y, bottom - x)
            }
        }
        file.segments = segments + [.exif(orientation: UInt16(orientation.rawValue))]
        return file.bytes
    }

    static let kinds: [(name: String, components: Int, segments: [JPEGSegment])] = [
        ("gray", 1, []), ("Y′CbCr", 3, [.jfif]), ("RGB", 3, [.adobe(transform: 0)]),
        ("Display P3", 3, [.adobe(transform: 0)] + JPEGSegment.profile(ICCProfile.displayP3().bytes)),
        ("CMYK", 4, []), ("YCCK", 4, [.adobe(transform: 2)]),
        ("CMYK with a profile", 4, JPEGSegment.profile(ICCProfile.cmyk().bytes)),
    ]

    @Test(
        "turning, cropping and converting is turning first, then the rest",
        arguments: Orientation.allCases, [.center, .top, .bottom, .left, .right] as [RenderTarget.Position])
    func agreesWithTurningFirst(orientation: Orientation, position: RenderTarget.Position) throws {
        for kind in Self.kinds {
            let turned = Self.file(orientation, components: kind.components, segments: kind.segments)
            let upright = Self.file(.upright, components: kind.components, segments: kind.segments)
            for (width, height) in [(30, 30), (20, 60), (90, 20), (64, 64)] {
                let target = RenderTarget(width: width, height: height, fit: .cover, position: position, format: .png)
                let distance = try turned.pixels(target).distance(to: upright.pixels(target))
                let steps = try #require(distance, "of the same size")
                // The two directions are filtered in the opposite order, with a rounding in between; some conversions
                // amplify the difference.
                #expect(steps <= (kind.components == 1 || kind.name == "RGB" ? 1 : 3), "\(kind.name): \(steps)")
            }
        }
    }

    @Test("each side's crop shows that side", arguments: Orientation.allCases)
    func showsTheSide(orientation: Orientation) throws {
        let file = Self.file(orientation, components: 3, segments: [.adobe(transform: 0)])
        let whole = try file.pixels()
        func part(_ position: RenderTarget.Position, _ width: Int, _ height: Int) throws -> PixelBuffer {
            try file.pixels(
                RenderTarget(width: width, height: height, fit: .cover, position: position, format: .png))
        }
        // As large as the original: nothing is resampled.
        let tall = try OutputSize(width: 32, height: 64)
        let flat = try OutputSize(width: 96, height: 16)
        #expect(try part(.left, 32, 64).samples == whole.cropped(to: tall, x: 0, y: 0).samples)
        #expect(try part(.center, 32, 64).samples == whole.cropped(to: tall, x: 32, y: 0).samples)
        #expect(try part(.right, 32, 64).samples == whole.cropped(to: tall, x: 64, y: 0).samples)
        #expect(try part(.top, 96, 16).samples == whole.cropped(to: flat, x: 0, y: 0).samples)
        #expect(try part(.bottom, 96, 16).samples == whole.cropped(to: flat, x: 0, y: 48).samples)
    }

    @Test("the busy part is shown, however the picture lies", arguments: Orientation.allCases, OutputFormat.lossy)
    func findsTheBusyPart(orientation: Orientation, format: OutputFormat) throws {
        let swaps = orientation.swapsSides
        // Stored rows or columns 64..<128 of 192 are busy, the rest is gray.
        var file = BlockJPEG(width: swaps ? 64 : 192, height: swaps ? 192 : 64, factors: [(1, 1)])
        file.value = { _, x, y in (8..<16).contains(swaps ? y : x) ? UInt8((x * 89 + y * 53) % 256) : 128 }
        file.segments = [.exif(orientation: UInt16(orientation.rawValue))]
        let target = RenderTarget(width: 32, height: 32, fit: .cover, position: .entropy, format: format)
        let plan = try RenderPlan(file.bytes.header(), target: target)
        let picture = try file.bytes.rendered(as: plan)
        #expect(picture.encodedSize == [32, 32])
        guard format == .jpeg else { return }
        let pixels = try picture.bytes.pixels()
        for side in [0, 31] {
            let edge = (0..<32).map { Int(pixels[side, $0][0]) }
            #expect((edge.max() ?? 0) - (edge.min() ?? 0) > 60, "nothing of the gray is shown")
        }
    }

    @Test("chroma is whole from quality 90 on, halved below", arguments: [1, 75, 89, 90, 100], kinds.indices)
    func choosesSubsampling(quality: Int, kind: Int) throws {
        let kind = Self.kinds[kind]
        let file = Self.file(.turnedLeft, components: kind.components, segments: kind.segments)
        let plan = try RenderPlan(
            file.header(), target: RenderTarget(width: 48, format: .jpeg, quality: .fixed(quality)))
        let header = try file.rendered(as: plan).bytes.header()
        #expect(header.subsampling == (kind.components == 1 ? nil : quality >= 90 ? "4:4:4" : "4:2:0"))
        #expect((header.width, header.height) == (48, 32))
    }

    @Test("a fine red line keeps its colour at quality 90")
    func keepsFineColour() throws {
        // Columns of 8 pixels, shrunk to one each.
        var file = BlockJPEG(width: 256, height: 64, factors: [(1, 1), (1, 1), (1, 1)])
        file.segments = [.adobe(transform: 0)]
        file.value = { component, x, _ in x % 4 == 0 ? (component == 0 ? 220 : 20) : 235 }
        func saturation(quality: Int) throws -> Int {
            let plan = try RenderPlan(
                file.bytes.header(), target: RenderTarget(width: 32, format: .jpeg, quality: .fixed(quality)))
            let pixels = try file.bytes.rendered(as: plan).bytes.pixels()
            return (1..<7).map { Int(pixels[4 * $0, 4][0]) - Int(pixels[4 * $0, 4][1]) }.min() ?? 0
        }
        let (whole, halved) = (try saturation(quality: 90), try saturation(quality: 89))
        #expect(whole > 100 && whole > halved + 30, "\(whole) and \(halved)")
    }
}
