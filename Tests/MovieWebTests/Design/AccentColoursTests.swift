import Testing

@testable import MovieWeb

struct AccentColoursTests {
    private static let paper = SRGBColour("#f4f1ea")!
    private static let night = SRGBColour("#161514")!

    /// 6 × 6 × 6 colours with components in steps of a fifth, and greys in smaller steps.
    private static let colours: [SRGBColour] = {
        let steps = stride(from: 0.0, through: 1, by: 0.2)
        let mixed = steps.flatMap { red in
            steps.flatMap { green in steps.map { SRGBColour(red: red, green: green, blue: $0) } }
        }
        return mixed + stride(from: 0.0, through: 1, by: 0.05).map { SRGBColour(red: $0, green: $0, blue: $0) }
    }()

    @Test func theTextOnEveryFieldHasContrast() {
        for colour in Self.colours {
            let accent = AccentColours(colour)
            for (scheme, ground) in [(accent.light, Self.paper), (accent.dark, Self.night)] {
                // Rounding to eight bits can cost 0.1.
                #expect(scheme.field.contrast(with: scheme.onField) >= 5.6, "\(colour)")
                #expect(scheme.field.contrast(with: scheme.onFieldQuiet) >= 4.5, "\(colour)")
                #expect(scheme.accent.contrast(with: ground) >= 4.5, "\(colour)")
            }
            #expect(accent.dark.field.contrast(with: accent.dark.onField) >= 8.8, "\(colour)")
        }
    }

    @Test func aDarkPosterHasADarkFieldAndALightOneALightField() {
        #expect(AccentColours(SRGBColour("#2b1a10")!).light.field.luminance < 0.2)
        #expect(AccentColours(SRGBColour("#f2d9a0")!).light.field.luminance > 0.5)
        #expect(AccentColours(SRGBColour("#f2d9a0")!).dark.field.luminance < 0.1)
    }

    @Test func aPosterThatIsBlackOrGreyLeavesTheFieldToTheScene() {
        let accent = { (text: String) in AccentColours(SRGBColour(text)!) }
        #expect(AccentColours(of: ["#13140c", "#aea029"]) == accent("#aea029"))
        #expect(AccentColours(of: ["#172e43", "#aea029"]) == accent("#172e43"))
        #expect(AccentColours(of: [nil, "#aea029"]) == accent("#aea029"))
        #expect(AccentColours(of: ["#13140c", "#808080"]) == accent("#13140c"))
        #expect(AccentColours(of: ["red", nil]) == nil)
    }

    @Test func theHueStays() {
        for text in ["#b03030", "#2060a0", "#307040"] {
            let colour = SRGBColour(text)!
            let difference = abs(OKLCH(AccentColours(colour).dark.field).hue - OKLCH(colour).hue)
            #expect(min(difference, 2 * .pi - difference) < 0.12, "\(text)")
        }
    }

    @Test func aColourIsSixDigits() {
        #expect(SRGBColour("#ff8000")?.description == "#ff8000")
        for text in ["", "ff8000", "#ff800", "#ff80000", "#gg8000", "#-12345", "#+12345", "#ff800\u{301}"] {
            #expect(SRGBColour(text) == nil, "\(text)")
        }
    }

    @Test func contrastIsThatOfWCAG() {
        let (black, white) = (SRGBColour("#000000")!, SRGBColour("#ffffff")!)
        #expect(abs(black.contrast(with: white) - 21) < 1e-9)
        #expect(abs(SRGBColour("#767676")!.contrast(with: white) - 4.54) < 0.01)
    }

    @Test func theColourOfALightnessIsInsideSRGBAndBackAgain() {
        for colour in Self.colours {
            let back = OKLCH(colour).colour
            for (one, other) in [(colour.red, back.red), (colour.green, back.green), (colour.blue, back.blue)] {
                #expect(abs(one - other) < 0.03, "\(colour) \(back)")
            }
        }
    }
}
