import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct EntropyCropTests {
    /// A gray picture with noise in one stretch along the longer side.
    static func picture(isAcross: Bool, busy: Range<Int>, channels: Int) -> PixelBuffer {
        var random = SeededRandom(seed: 6)
        return PixelBuffer(width: isAcross ? 160 : 40, height: isAcross ? 40 : 160, channels: channels) { x, y in
            let level: UInt8 = busy.contains(isAcross ? x : y) ? .random(in: 0...255, using: &random) : 90
            return [UInt8](repeating: level, count: min(channels, 3)) + (channels == 4 ? [255] : [])
        }
    }

    @Test("the busy part is found", arguments: [false, true], [0..<40, 15..<55, 60..<100, 100..<140, 120..<160])
    func findsTheBusyPart(isAcross: Bool, busy: Range<Int>) throws {
        for channels in [1, 3, 4] {
            let picture = Self.picture(isAcross: isAcross, busy: busy, channels: channels)
            let corner = EntropyCrop.corner(of: try OutputSize(width: 40, height: 40), in: picture)
            // Within one search step.
            #expect(abs((isAcross ? corner.x : corner.y) - busy.lowerBound) <= 4, "\(corner)")
            #expect((isAcross ? corner.y : corner.x) == 0)
        }
    }

    @Test("a flat picture is cut in the centre", arguments: [1, 3, 4])
    func keepsTheCentre(channels: Int) throws {
        for (width, height) in [(40, 161), (161, 40), (40, 42), (41, 40)] {
            let flat = PixelBuffer(width: width, height: height, channels: channels) { _, _ in
                [UInt8](repeating: 200, count: channels)
            }
            let corner = EntropyCrop.corner(of: try OutputSize(width: 40, height: 40), in: flat)
            #expect(corner == ((width - 40) / 2, (height - 40) / 2))
        }
    }

    @Test("of two equally busy ends the first one is taken, in every run")
    func isDeterministic() throws {
        let picture = PixelBuffer(width: 20, height: 100, channels: 1) { x, y in
            [min(y, 99 - y) < 10 ? UInt8(x * 12) : 50]
        }
        let size = try OutputSize(width: 20, height: 20)
        for _ in 0..<10 { #expect(EntropyCrop.corner(of: size, in: picture) == (0, 0)) }
    }

    @Test("colours that cannot be seen do not count")
    func ignoresTheHidden() throws {
        var random = SeededRandom(seed: 6)
        let picture = PixelBuffer(width: 40, height: 160, channels: 4) { x, y in
            let level = UInt8.random(in: 0...255, using: &random)
            // Transparent noise above an opaque gradient.
            return y >= 120 ? [UInt8(6 * x), 0, 0, 255] : [level, level, level, 0]
        }
        let corner = EntropyCrop.corner(of: try OutputSize(width: 40, height: 40), in: picture)
        #expect(corner.y >= 80)
    }

    @Test("nothing is cut where nothing sticks out")
    func cutsNothing() throws {
        let picture = YCbCrConverterTests.random((9, 9), channels: 3)
        #expect(EntropyCrop.corner(of: try OutputSize(width: 9, height: 9), in: picture) == (0, 0))
    }
}
