import Testing

@testable import PosterCodec

@Suite struct DominantColourTests {
    @Test(
        "a flat picture has its own colour",
        arguments: [[0, 0, 0], [255, 255, 255], [200, 100, 51], [1, 2, 3], [15, 16, 240]])
    func flat(colour: [Int]) {
        let hex = "#" + colour.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        for (width, height) in [(1, 1), (67, 100), (100, 3)] {
            #expect(RGBAPicture.flat(width, height, colour + [255]).dominantColour == hex)
        }
    }

    @Test("the largest area wins and is not mixed with the others")
    func largest() {
        let picture = RGBAPicture.bands(
            20, [(30, [230, 30, 30, 255]), (40, [20, 40, 160, 255]), (30, [250, 220, 40, 255])])
        #expect(picture.dominantColour == "#1428a0")
    }

    @Test("a background of many near shades beats a smaller flat area")
    func shades() throws {
        // 60 rows of dark blue, no two alike; 40 of one red.
        let shades = (0..<60).map { (rows: 1, colour: [10 + $0 / 4, 20 + $0 / 3, 80 + $0 / 2, 255]) }
        let colour = RGBAPicture.bands(30, shades + [(rows: 40, colour: [220, 20, 20, 255])]).dominantColour
        let value = try #require(Int(colour.dropFirst(), radix: 16))
        #expect((10...25).contains(value >> 16))
        #expect((20...40).contains(value >> 8 & 255))
        #expect((80...110).contains(value & 255))
    }

    @Test("the shades of black are one colour")
    func black() throws {
        let blacks = (0..<18).map { (rows: 3, colour: [$0, $0, $0, 255]) }
        let colour = RGBAPicture.bands(30, blacks + [(rows: 40, colour: [240, 240, 240, 255])]).dominantColour
        let value = try #require(Int(colour.dropFirst(), radix: 16))
        #expect(value & 255 < 18)
    }

    @Test("pixels that are mostly transparent do not count")
    func transparent() {
        let picture = RGBAPicture.bands(10, [(60, [255, 0, 0, 127]), (40, [0, 128, 64, 128])])
        #expect(picture.dominantColour == "#008040")
    }

    @Test("what is transparent all over is white")
    func invisible() {
        #expect(RGBAPicture.flat(10, 15, [255, 0, 0, 0]).dominantColour == "#ffffff")
        #expect(RGBAPicture.flat(10, 15, [255, 0, 0, 127]).dominantColour == "#ffffff")
    }

    @Test("where the pixels lie does not matter")
    func order() {
        let picture = RGBAPicture.noise(50, 75)
        let reversed = stride(from: picture.rgba.count - 4, through: 0, by: -4).flatMap { picture.rgba[$0..<$0 + 4] }
        #expect(DominantColour.encode(rgba: reversed) == picture.dominantColour)
    }
}
