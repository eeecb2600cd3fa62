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
}

/// The device pixels per CSS pixel, 1 to 4, by which the sides of a target are multiplied.
public struct DevicePixelRatio: Hashable, Sendable {
    private let thousandths: Int

    /// The description of what ``init(_:)`` accepts, for error messages.
    public static let forms = "a number from 1 to 4 with at most three decimals, such as 2 or 1.5"

    /// One device pixel per CSS pixel.
    public static let one = DevicePixelRatio(thousandths: 1000)

    private init(thousandths: Int) {
        self.thousandths = thousandths
    }

    /// - Parameter text: A decimal number.
    /// - Returns: nil for anything but ``forms``.
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

    /// The first of `ratios` that is not less than this one; nil without any.
    public func roundedUp(to ratios: [DevicePixelRatio]) -> DevicePixelRatio? {
        ratios.first { $0.thousandths >= self.thousandths }
    }

    /// The side in CSS pixels, rounded, of `side` device pixels, at most 4096.
    public func removed(from side: Int) -> Int {
        (side * 1000 + self.thousandths / 2) / self.thousandths
    }

    /// The side in device pixels, rounded, of `side` CSS pixels, at most 4096.
    public func applied(to side: Int) -> Int {
        (side * self.thousandths + 500) / 1000
    }
}
