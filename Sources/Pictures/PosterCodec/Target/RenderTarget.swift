/// What somebody wants of a picture.
public struct RenderTarget: Hashable, Sendable {
    /// How the picture fills the box.
    public enum Fit: String, Hashable, Sendable, CaseIterable {
        /// Whole, inside the box, keeping its aspect ratio.
        case contain
        /// Filling the box, keeping its aspect ratio; what sticks out is cut off.
        case cover
    }

    /// Which part stays when a picture is cropped.
    public enum Position: String, Hashable, Sendable, CaseIterable {
        case center
        case top
        case bottom
        case left
        case right
        /// The part with the most varied tones.
        case entropy
    }

    /// How much may be left out of decoding.
    public enum Effort: String, Hashable, Sendable, CaseIterable {
        /// Everything is decoded.
        case full
        /// What cannot be seen in the result is not decoded.
        case balanced
        /// More is left out; the plan says how far the result may be off.
        case fast
    }

    /// What transparent pixels are laid on where the format has no transparency.
    public struct Background: Hashable, Sendable {
        /// sRGB, 0...255 each.
        public var red, green, blue: UInt8

        /// sRGB, 0...255 each.
        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// The default.
        public static let white = Background(red: 255, green: 255, blue: 255)
    }

    /// The box in pixels, at least 1 each; nil leaves a side to the aspect ratio. A picture is never enlarged.
    public var width, height: Int?
    /// Matters only where both sides are given.
    public var fit: Fit
    /// Matters only where something is cut off.
    public var position: Position
    /// What to encode as.
    public var format: OutputFormat
    /// 1...100; without meaning to PNG.
    public var quality: Int
    /// Matters only to pictures with transparency.
    public var background: Background
    /// Matters only to progressive JPEGs and to WebP output.
    public var effort: Effort

    /// - Parameter quality: 1...100; nil for the format's default.
    public init(
        width: Int? = nil, height: Int? = nil, fit: Fit = .contain, position: Position = .center,
        format: OutputFormat, quality: Int? = nil, background: Background = .white, effort: Effort = .balanced
    ) {
        precondition(
            width ?? 1 >= 1 && height ?? 1 >= 1 && (1...100).contains(quality ?? 1), "size or quality out of range")
        self.width = width
        self.height = height
        self.fit = fit
        self.position = position
        self.format = format
        self.quality = quality ?? format.defaultQuality
        self.background = background
        self.effort = effort
    }
}
