extension ThumbHash {
    /// A picture as ThumbHash looks at it: over its own mean colour, as light and two differences of colour.
    struct Planes {
        /// The mean of red, green and blue, 0...1.
        private(set) var light: [Double] = []
        /// Yellow against blue, -1...1.
        private(set) var yellowBlue: [Double] = []
        /// Red against green, -1...1.
        private(set) var redGreen: [Double] = []
        /// 0...1.
        private(set) var alpha: [Double] = []
        /// Whether any pixel is not opaque.
        let hasAlpha: Bool

        init(rgba: [UInt8]) {
            let count = rgba.count / 4
            var red = 0.0
            var green = 0.0
            var blue = 0.0
            var opacity = 0.0
            for pixel in stride(from: 0, to: rgba.count, by: 4) {
                let alpha = Double(rgba[pixel + 3]) / 255
                red += alpha / 255 * Double(rgba[pixel])
                green += alpha / 255 * Double(rgba[pixel + 1])
                blue += alpha / 255 * Double(rgba[pixel + 2])
                opacity += alpha
            }
            if opacity > 0 {
                red /= opacity
                green /= opacity
                blue /= opacity
            }
            self.hasAlpha = opacity < Double(count)

            self.light.reserveCapacity(count)
            self.yellowBlue.reserveCapacity(count)
            self.redGreen.reserveCapacity(count)
            self.alpha.reserveCapacity(count)
            for pixel in stride(from: 0, to: rgba.count, by: 4) {
                let alpha = Double(rgba[pixel + 3]) / 255
                let r = red * (1 - alpha) + alpha / 255 * Double(rgba[pixel])
                let g = green * (1 - alpha) + alpha / 255 * Double(rgba[pixel + 1])
                let b = blue * (1 - alpha) + alpha / 255 * Double(rgba[pixel + 2])
                self.light.append((r + g + b) / 3)
                self.yellowBlue.append((r + g) / 2 - b)
                self.redGreen.append(r - g)
                self.alpha.append(alpha)
            }
        }
    }
}
