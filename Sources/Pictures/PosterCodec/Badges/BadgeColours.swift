import Glibc

/// The colours of a badge's box and text, with a contrast of at least ``minContrast`` on any picture, by the formulas
/// of WCAG 2.
struct BadgeColours: Hashable {
    /// WCAG's contrast ratio for text (level AA).
    static let minContrast = 4.5
    /// WCAG's contrast ratio for graphics.
    static let minMarkContrast = 3.0
    /// Opacity of boxes where the contrast allows it; 255 is opaque.
    static let boxOpacity: UInt8 = 240
    /// The box of a bar.
    static let bar = BadgeColours(
        box: RenderTarget.Colour(red: 14, green: 15, blue: 18), opacity: 216, text: white)

    private static let white = RenderTarget.Colour(red: 255, green: 255, blue: 255)
    private static let black = RenderTarget.Colour(red: 0, green: 0, blue: 0)

    let box: RenderTarget.Colour
    let opacity: UInt8
    let text: RenderTarget.Colour

    private init(box: RenderTarget.Colour, opacity: UInt8, text: RenderTarget.Colour) {
        self.box = box
        self.opacity = opacity
        self.text = text
    }

    /// Text in white or black, whichever has the greater contrast. The box is as opaque as the contrast requires: white
    /// or black has at least 4.58:1 on any opaque colour.
    init(box: RenderTarget.Colour) {
        var opacity = Self.boxOpacity
        while true {
            let ofWhite = Self.minContrast(of: Self.white, on: box, opacity: opacity)
            let ofBlack = Self.minContrast(of: Self.black, on: box, opacity: opacity)
            if max(ofWhite, ofBlack) >= Self.minContrast || opacity == 255 {
                self.init(box: box, opacity: opacity, text: ofWhite >= ofBlack ? Self.white : Self.black)
                return
            }
            opacity += 1
        }
    }

    /// A mark's colour for ``bar``: lighter if it would not be visible on the bar.
    static func mark(_ colour: RenderTarget.Colour) -> RenderTarget.Colour {
        var mark = colour
        for whitePart in stride(from: UInt8(0), through: 255, by: 5) {
            mark = self.blend(self.white, over: colour, opacity: whitePart)
            let contrast = self.minContrast(of: mark, on: self.bar.box, opacity: self.bar.opacity)
            if contrast >= self.minMarkContrast { break }
        }
        return mark
    }

    // MARK: Contrast

    /// The contrast of a text on a box over the worst picture, which is white or black.
    static func minContrast(of text: RenderTarget.Colour, on box: RenderTarget.Colour, opacity: UInt8) -> Double {
        let onBlack = self.contrast(text, self.blend(box, over: self.black, opacity: opacity))
        let onWhite = self.contrast(text, self.blend(box, over: self.white, opacity: opacity))
        return min(onBlack, onWhite)
    }

    /// WCAG's contrast ratio, 1...21.
    static func contrast(_ one: RenderTarget.Colour, _ other: RenderTarget.Colour) -> Double {
        let (first, second) = (self.luminance(one), self.luminance(other))
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    static func blend(
        _ colour: RenderTarget.Colour, over behind: RenderTarget.Colour, opacity: UInt8
    ) -> RenderTarget.Colour {
        func level(_ front: UInt8, _ back: UInt8) -> UInt8 {
            let sum = Int(front) * Int(opacity) + Int(back) * Int(255 - opacity)
            return UInt8((sum + 127) / 255)
        }
        return RenderTarget.Colour(
            red: level(colour.red, behind.red), green: level(colour.green, behind.green),
            blue: level(colour.blue, behind.blue))
    }

    private static func luminance(_ colour: RenderTarget.Colour) -> Double {
        0.2126 * self.linear[Int(colour.red)] + 0.7152 * self.linear[Int(colour.green)]
            + 0.0722 * self.linear[Int(colour.blue)]
    }

    /// Linear light of each level of sRGB.
    private static let linear: [Double] = (0...255).map { level in
        let value = Double(level) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}
