import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct BadgeColourTests {
    private func check(_ colour: RenderTarget.Colour) {
        let colours = BadgeColours(box: colour)
        #expect(colours.box == colour)
        #expect(colours.opacity >= 235)
        for level in stride(from: 0, through: 255, by: 51) {
            let picture = RenderTarget.Colour(red: UInt8(level), green: UInt8(level), blue: UInt8(level))
            let box = BadgeColours.blend(colour, over: picture, opacity: colours.opacity)
            let contrast = BadgeColours.contrast(colours.text, box)
            #expect(contrast >= 4.5, "\(contrast) on \(colour) over \(level)")
        }
    }

    @Test func textOnAllGrayLevelsHasContrast() {
        for level in UInt8.min...UInt8.max {
            self.check(RenderTarget.Colour(red: level, green: level, blue: level))
        }
    }

    @Test(.computingThread) func textOnAllColoursHasContrast() {
        let levels = stride(from: 0, through: 255, by: 15).map(UInt8.init)
        for red in levels {
            for green in levels {
                for blue in levels { self.check(RenderTarget.Colour(red: red, green: green, blue: blue)) }
            }
        }
    }

    @Test func theGreaterContrastDecidesTheTextsColour() {
        let white = RenderTarget.Colour(red: 255, green: 255, blue: 255)
        let black = RenderTarget.Colour(red: 0, green: 0, blue: 0)
        #expect(BadgeColours(box: BadgeFixture.yellow).text == black)
        #expect(BadgeColours(box: black).text == white)
        #expect(BadgeColours(box: RenderTarget.Colour(red: 0xC6, green: 0x28, blue: 0x28)).text == white)
        #expect(BadgeColours.contrast(white, black) == 21)
        #expect(BadgeColours.contrast(white, white) == 1)
    }

    @Test func aBarHasContrastAndVisibleMarks() {
        let bar = BadgeColours.bar
        #expect(bar.opacity >= 204)
        #expect(BadgeColours.minContrast(of: bar.text, on: bar.box, opacity: bar.opacity) >= 4.5)
        for level in stride(from: 0, through: 255, by: 5) {
            let colour = RenderTarget.Colour(red: UInt8(level), green: UInt8(255 - level), blue: 0)
            let mark = BadgeColours.mark(colour)
            #expect(BadgeColours.minContrast(of: mark, on: bar.box, opacity: bar.opacity) >= 3)
        }
        let dark = RenderTarget.Colour(red: 0, green: 0, blue: 0)
        #expect(BadgeColours.minContrast(of: BadgeColours.mark(dark), on: bar.box, opacity: bar.opacity) >= 3)
        #expect(BadgeColours.mark(BadgeFixture.yellow) == BadgeFixture.yellow)
    }
}
