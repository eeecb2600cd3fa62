/// The requested size, crop, format and quality of a rendered picture.
public struct RenderTarget: Hashable, Sendable {
    /// How the picture fills the box of width and height.
    public enum Fit: String, Hashable, Sendable, CaseIterable {
        /// Whole, inside the box, keeping its aspect ratio.
        case contain
        /// Filling the box, keeping its aspect ratio; the rest is cropped.
        case cover
    }

    /// The part of a picture that a crop keeps.
    public enum Position: String, Hashable, Sendable, CaseIterable {
        case center
        case top
        case bottom
        case left
        case right
        /// The part with the most varied tones.
        case entropy
        /// The part with the most skin tones, saturated colours and edges.
        case attention
    }

    /// A visual effect.
    public enum Effect: Hashable, Sendable {
        /// Smooths away details smaller than about a fortieth of the longer side.
        case blur
        /// Maps luma to a gradient of two colours.
        case duotone(dark: Colour, light: Colour)
    }

    /// An opaque colour.
    public typealias Colour = Background

    /// How much of the data may be left undecoded.
    public enum Effort: String, Hashable, Sendable, CaseIterable {
        /// Everything is decoded.
        case full
        /// Data that does not visibly change the result is not decoded.
        case balanced
        /// More data is left undecoded; the plan estimates the error.
        case fast
    }

    /// The colour behind transparent pixels where the format has no transparency.
    public struct Background: Hashable, Sendable {
        /// sRGB, 0...255 each.
        public var red, green, blue: UInt8

        /// sRGB, 0...255 each.
        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// White, the default.
        public static let white = Background(red: 255, green: 255, blue: 255)
    }

    /// The box in pixels, at least 1 each; `nil` derives a side from the aspect ratio. A picture is never enlarged.
    public var width, height: Int?
    /// How the picture fills the box; has no effect unless both sides are given.
    public var fit: Fit
    /// The part that a crop keeps.
    public var position: Position
    /// The format of the result.
    public var format: OutputFormat
    /// The quality of the result; ignored by PNG.
    public var quality: Quality
    /// The colour behind transparent pixels.
    public var background: Background
    /// The effort of decoding progressive JPEGs and of encoding WebP.
    public var effort: Effort
    /// `nil` leaves the picture unchanged.
    public var effect: Effect?
    /// Drawn over the finished picture; `nil` draws nothing.
    public var badges: Badges?

    /// - Parameter quality: `nil` for the format's default number.
    public init(
        width: Int? = nil, height: Int? = nil, fit: Fit = .contain, position: Position = .center,
        format: OutputFormat, quality: Quality? = nil, background: Background = .white, effort: Effort = .balanced,
        effect: Effect? = nil, badges: Badges? = nil
    ) {
        precondition(
            width ?? 1 >= 1 && height ?? 1 >= 1 && quality?.isPossible ?? true, "size or quality out of range")
        self.width = width
        self.height = height
        self.fit = fit
        self.position = position
        self.format = format
        self.quality = quality ?? .fixed(format.defaultQuality)
        self.background = background
        self.effort = effort
        self.effect = effect
        self.badges = badges
    }
}

extension RenderTarget.Background {
    /// The accepted forms of ``init(hex:)``, for error messages.
    public static let forms = "RRGGBB or RGB in hexadecimal digits, such as ffffff"

    /// - Parameter hex: Six hexadecimal digits, or three that are doubled, with an optional leading `#`.
    /// - Returns: `nil` for any other text.
    public init?(hex: String) {
        let digits = hex.utf8.first == UInt8(ascii: "#") ? hex.utf8.dropFirst() : hex.utf8[...]
        let values = digits.prefix(7).compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
        guard values.count == digits.count else { return nil }
        switch values.count {
        case 3: self.init(red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17)
        case 6:
            self.init(
                red: values[0] << 4 | values[1], green: values[2] << 4 | values[3], blue: values[4] << 4 | values[5])
        default: return nil
        }
    }
}

extension RenderTarget.Effect: CustomStringConvertible {
    /// Differs between effects; part of entity tags.
    public var description: String {
        switch self {
        case .blur: "blur"
        case .duotone(let dark, let light): "duotone \(dark.hexadecimal) \(light.hexadecimal)"
        }
    }
}

extension RenderTarget.Background {
    /// Six digits.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef")
        return String([self.red, self.green, self.blue].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

/// A format of rendered pictures.
public enum OutputFormat: String, Hashable, Sendable, Codable, CaseIterable {
    case jpeg
    case webp
    case png
    case avif
    case jxl

    /// The default number of the encoder's scale, 1...100. The scales differ: at these values, posters of 368 pixels
    /// have the same SSIM. AVIF and JPEG XL use WebP's scale; PNG is lossless.
    public var defaultQuality: Int {
        switch self {
        case .jpeg: 82
        case .webp, .avif, .jxl: 80
        case .png: 100
        }
    }

    /// Whether pixels may be transparent.
    public var hasAlpha: Bool { self != .jpeg }

    /// Whether chroma is stored at half the size (4:2:0): always in WebP and AVIF, in JPEG by likeness and below
    /// quality 90, never in PNG and JPEG XL.
    func halvesChroma(quality: Quality) -> Bool {
        switch (self, quality) {
        case (.jpeg, .fixed(let number)): number < 90
        default: self.input(quality: quality) == .planes
        }
    }

    /// The input of an encoder.
    enum Input {
        /// Planes, some rows at a time, while later ones are decoded.
        case rows
        /// All rows of the planes at once.
        case planes
        /// All pixels in sRGB at once.
        case pixels
    }

    /// - Parameter quality: By likeness, the encoder's number depends on all rows.
    func input(quality: Quality) -> Input {
        switch self {
        case .jpeg:
            if case .fixed = quality { .rows } else { .planes }
        case .webp, .avif: .planes
        case .png, .jxl: .pixels
        }
    }

    /// Whether luma is 16...235 and chroma 16...240; other formats with planes use 0...255.
    var hasLimitedRange: Bool { self == .webp }

    /// The media type (RFC 9110, 8.3.1).
    public var mediaType: String { "image/\(self.rawValue)" }
}

/// The size of a rendered picture, in pixels.
public struct OutputSize: Hashable, Sendable {
    /// The sides in pixels, at least 1 each.
    public let width, height: Int

    /// - Throws: As ``init(fitting:width:)``.
    init(width: Int, height: Int) throws(CodecError) {
        let longest = max(width, height)
        guard longest <= CodecLimits.maxRenderedSide else {
            throw .sideTooLong(pixels: longest, limit: CodecLimits.maxRenderedSide)
        }
        guard width * height <= CodecLimits.maxRenderedPixels else {
            throw .tooManyPixels(width * height, limit: CodecLimits.maxRenderedPixels)
        }
        self.width = width
        self.height = height
    }

    var pixels: Int { self.width * self.height }
}

/// The device pixels per CSS pixel, 1 to 4, by which the sides of a target are multiplied.
public struct DevicePixelRatio: Hashable, Sendable {
    private let thousandths: Int

    /// The accepted forms of ``init(_:)``, for error messages.
    public static let forms = "a number from 1 to 4 with at most three decimals, such as 2 or 1.5"

    /// One device pixel per CSS pixel.
    public static let one = DevicePixelRatio(thousandths: 1000)

    private init(thousandths: Int) {
        self.thousandths = thousandths
    }

    /// - Parameter text: A decimal number.
    /// - Returns: `nil` for anything but ``forms``.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, whole.count == 1, let digit = whole.first else { return nil }
        let fraction = parts.count > 1 ? Array(parts[1]) : []
        guard (48...57).contains(digit), parts.count == 1 || (1...3).contains(fraction.count),
            fraction.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        let decimals = (fraction + [48, 48, 48]).prefix(3).reduce(0) { 10 * $0 + Int($1) - 48 }
        self.thousandths = 1000 * (Int(digit) - 48) + decimals
        guard (1000...4000).contains(self.thousandths) else { return nil }
    }

    /// The first of `ratios` that is not less than this one; `nil` if there is none.
    public func roundedUp(to ratios: [DevicePixelRatio]) -> DevicePixelRatio? {
        ratios.first { $0.thousandths >= self.thousandths }
    }

    /// Converts a side of at most 4096 device pixels to CSS pixels, rounded.
    public func removed(from side: Int) -> Int {
        (side * 1000 + self.thousandths / 2) / self.thousandths
    }

    /// Converts a side of at most 4096 CSS pixels to device pixels, rounded.
    public func applied(to side: Int) -> Int {
        (side * self.thousandths + 500) / 1000
    }
}
