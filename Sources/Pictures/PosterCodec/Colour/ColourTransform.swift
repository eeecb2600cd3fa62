import BoundedCache
import CPosterCodecs

/// A conversion of pixels to sRGB.
final class ColourTransform: @unchecked Sendable {
    // Unchecked because of the pointer: its memory is never written after the initializer.
    private let method: Method
    /// The bytes per pixel of the input.
    let channels: Int
    /// The output of each gray level; `nil` if the input is not gray or the output is not neutral.
    private(set) var grayLevels: [UInt8]?

    private enum Method {
        case littleCMS(OpaquePointer)
        case curve(CurveTransform)
    }

    /// The pixel format of the input; the raw value is the number of bytes per pixel.
    enum Input: Int, Hashable {
        case gray = 1
        case rgb = 3
        /// CMYK, where 255 is no ink.
        case cmyk = 4

        fileprivate var inC: poster_colour_input {
            switch self {
            case .gray: .gray
            case .rgb: .rgb
            case .cmyk: .cmyk
            }
        }
    }

    /// - Returns: `nil` for sRGB, an invalid profile, or a colour space that does not apply to `input`.
    convenience init?(_ tag: ColourTag, input: Input) {
        let handle: OpaquePointer?
        switch tag {
        case .sRGB: return nil
        case .profile(let bytes):
            guard let trimmed = ICCProfileSanitizer.trimmed(bytes, channels: input.rawValue) else { return nil }
            handle = trimmed.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.flatMap { poster_colour_transform_create($0, buffer.count, input.inC) }
            }
        case .chromaticities(let primaries):
            guard input == .rgb else { return nil }
            handle = poster_colour_transform_create_from_chromaticities(primaries.xy)
        case .curved(let curve, let primaries):
            guard input != .cmyk, let transform = CurveTransform(curve, primaries) else { return nil }
            self.init(.curve(transform), input: input)
            return
        }
        guard let handle else { return nil }
        self.init(.littleCMS(handle), input: input)
    }

    private init(_ method: Method, input: Input) {
        self.method = method
        self.channels = input.rawValue
        if input == .gray { self.grayLevels = self.neutralLevels() }
    }

    deinit {
        if case .littleCMS(let handle) = self.method { poster_colour_transform_destroy(handle) }
    }

    /// Converts pixels of ``channels`` bytes to three bytes each; `rgb` must not overlap `pixels`.
    func apply(_ pixels: UnsafePointer<UInt8>, to rgb: UnsafeMutablePointer<UInt8>, count: Int) {
        switch self.method {
        case .littleCMS(let handle): poster_colour_transform_apply(handle, pixels, rgb, count)
        case .curve(let transform): transform.apply(pixels, channels: self.channels, to: rgb, count: count)
        }
    }

    private func neutralLevels() -> [UInt8]? {
        var rgb = [UInt8](repeating: 0, count: 256 * 3)
        self.apply((0...255).map(UInt8.init), to: &rgb, count: 256)
        let pixels = (0...255).map { rgb[3 * $0..<3 * $0 + 3] }
        guard pixels.allSatisfy({ ($0.max() ?? 0) - ($0.min() ?? 0) <= Self.tolerance }) else { return nil }
        return pixels.map { $0[$0.startIndex + 1] }
    }

    /// The largest ignored difference of a channel: sRGB profiles of various vendors differ by less, which is
    /// invisible.
    private static let tolerance = 2

    /// Whether no pixel changes visibly, judged on all gray levels or on 9 × 9 × 9 colours; always false for CMYK.
    func changesNothing() -> Bool {
        guard self.channels != 4 else { return false }
        let steps = self.channels == 1 ? 256 : 9
        let levels = (0..<steps).map { UInt8($0 * 255 / (steps - 1)) }
        let grid: [UInt8]
        if self.channels == 1 {
            grid = levels
        } else {
            grid = levels.flatMap { red in levels.flatMap { green in levels.flatMap { [red, green, $0] } } }
        }
        var rgb = [UInt8](repeating: 0, count: grid.count / self.channels * 3)
        self.apply(grid, to: &rgb, count: grid.count / self.channels)
        return rgb.indices.allSatisfy { index in
            abs(Int(rgb[index]) - Int(grid[self.channels == 1 ? index / 3 : index])) <= Self.tolerance
        }
    }
}

/// Caches conversions, so that a profile is parsed once and not for each picture. Safe from any thread.
final class ColourTransformCache: Sendable {
    static let shared = ColourTransformCache()

    static let countLimit = 32
    /// The maximum total size of the keys' profiles, in bytes: 16 MiB.
    static let byteLimit = 16 << 20

    /// Contains the whole profile: a digest that is as cheap to compute could be forged.
    private struct Key: Hashable {
        let tag: ColourTag
        let input: ColourTransform.Input

        var byteCount: Int {
            if case .profile(let bytes) = self.tag { bytes.count } else { 0 }
        }
    }

    /// A cached `nil` means that the pixels need no conversion.
    private let transforms = BoundedCache<Key, ColourTransform?>(countLimit: countLimit, costLimit: byteLimit)

    /// The conversion to sRGB; `nil` if the pixels are sRGB, do not differ visibly, or the tag is unusable.
    func transform(for tag: ColourTag, input: ColourTransform.Input) -> ColourTransform? {
        guard tag != .sRGB else { return nil }
        let key = Key(tag: tag, input: input)
        if let cached = self.transforms.value(for: key) { return cached }
        // Takes milliseconds, so the cache's lock is not held: two threads may create the same conversion.
        let made = ColourTransform(tag, input: input)
        let transform = made?.changesNothing() == true ? nil : made
        self.transforms.insert(transform, for: key, cost: key.byteCount)
        return transform
    }

    /// The number of conversions cached, and the bytes of their profiles.
    var usage: (count: Int, cost: Int) { self.transforms.usage }
}
