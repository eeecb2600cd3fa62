import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct AttentionCropTests {
    /// A gray picture with one coloured stretch along the longer side.
    private static func picture(isAcross: Bool, part: Range<Int>, colour: [UInt8], channels: Int) -> PixelBuffer {
        PixelBuffer(width: isAcross ? 320 : 80, height: isAcross ? 80 : 320, channels: channels) { x, y in
            let isPart = part.contains(isAcross ? x : y)
            let pixel = isPart ? colour : [110, 110, 110]
            return (channels == 1 ? [pixel[0]] : pixel) + (channels == 4 ? [255] : [])
        }
    }

    @Test(
        "skin and saturated red draw attention", arguments: [[224, 172, 140], [200, 30, 30]] as [[UInt8]],
        [0..<80, 60..<140, 120..<200, 240..<320])
    func findsColours(colour: [UInt8], part: Range<Int>) throws {
        for isAcross in [false, true] {
            for channels in [3, 4] {
                let picture = Self.picture(isAcross: isAcross, part: part, colour: colour, channels: channels)
                let corner = AttentionCrop.corner(of: try OutputSize(width: 80, height: 80), in: picture)
                let (along, other) = isAcross ? (corner.x, corner.y) : (corner.y, corner.x)
                // The border draws attention, too: at least half of the part is shown.
                #expect(abs(along - part.lowerBound) <= 40, "\(corner)")
                #expect(other == 0)
            }
        }
    }

    @Test("edges draw attention in a picture without colours")
    func findsEdges() throws {
        let picture = PixelBuffer(width: 80, height: 320, channels: 1) { x, y in
            [(200..<260).contains(y) && (x / 10 + y / 10) % 2 == 0 ? 255 : 60]
        }
        let corner = AttentionCrop.corner(of: try OutputSize(width: 80, height: 80), in: picture)
        #expect(abs(corner.y - 190) <= 30, "\(corner)")
    }

    @Test("a flat picture is cut in the centre", arguments: [1, 3, 4])
    func keepsTheCentre(channels: Int) throws {
        for (width, height) in [(40, 161), (161, 40), (40, 42), (41, 40)] {
            let flat = PixelBuffer(width: width, height: height, channels: channels) { _, _ in
                [UInt8](repeating: 200, count: channels)
            }
            let corner = AttentionCrop.corner(of: try OutputSize(width: 40, height: 40), in: flat)
            #expect(corner == ((width - 40) / 2, (height - 40) / 2))
        }
    }

    @Test("colours that cannot be seen draw no attention")
    func ignoresTheHidden() throws {
        let picture = PixelBuffer(width: 80, height: 320, channels: 4) { _, y in
            y < 160 ? [200, 30, 30, 0] : y < 240 ? [110, 110, 110, 255] : [200, 30, 30, 255]
        }
        let corner = AttentionCrop.corner(of: try OutputSize(width: 80, height: 80), in: picture)
        #expect(corner.y >= 180, "\(corner)")
    }

    @Test("pictures smaller than the cells are cut, too", arguments: [(3, 9), (9, 3), (1, 2), (33, 2)])
    func cutsTheSmall(width: Int, height: Int) throws {
        let picture = YCbCrConverterTests.random((width, height), channels: 3)
        let side = min(width, height)
        let corner = AttentionCrop.corner(of: try OutputSize(width: side, height: side), in: picture)
        #expect((0...(width - side)).contains(corner.x) && (0...(height - side)).contains(corner.y))
    }

    @Test("a target's position is searched in the picture, in every format", arguments: OutputFormat.allCases)
    func isRendered(format: OutputFormat) throws {
        var file = BlockJPEG(width: 64, height: 192, factors: [(1, 1)])
        file.value = { _, x, y in (16..<24).contains(y) ? UInt8((x * 89 + y * 53) % 256) : 128 }
        let target = RenderTarget(width: 32, height: 32, fit: .cover, position: .attention, format: format)
        let plan = try RenderPlan(file.bytes.header(), target: target)
        #expect(plan.framing.isSearched && plan.framing.position == .attention)
        let picture = try file.bytes.rendered(as: plan)
        #expect(picture.bytes.count > 0)
        #expect(plan.size == (try OutputSize(width: 32, height: 32)))
    }
}
