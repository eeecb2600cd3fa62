/// The size of the result, the crop and the effect, computed from a target and the original's size.
///
/// Equal framings show the same part of an original at the same size.
public struct Framing: Hashable, Sendable {
    /// The part of the original that is shown.
    public enum Crop: Hashable, Sendable {
        /// The whole original.
        case none
        /// This part, in pixels of the upright original.
        case window(across: PixelSpan, down: PixelSpan)
        /// The most interesting part, searched in the picture at the size `scaled`.
        case search(scaled: OutputSize)
    }

    /// The size of the result.
    public let size: OutputSize
    /// The part of the original that is shown.
    public let crop: Crop
    /// The position of the crop; ``RenderTarget/Position/center`` if nothing is cropped.
    public let position: RenderTarget.Position
    /// The visual effect; `nil` without one.
    public let effect: RenderTarget.Effect?

    /// - Parameter source: The upright original's size in pixels.
    /// - Throws: ``CodecError/sideTooLong(pixels:limit:)`` or ``CodecError/tooManyPixels(_:limit:)``.
    public init(of source: (width: Int, height: Int), as target: RenderTarget) throws(CodecError) {
        guard let width = target.width, let height = target.height else {
            self.init(
                whole: try Self.contained(source, width: target.width, height: target.height), effect: target.effect)
            return
        }
        switch target.fit {
        case .contain:
            self.init(whole: try Self.contained(source, width: width, height: height), effect: target.effect)
        case .cover:
            try self.init(
                covering: (width, height), with: source, position: target.position, effect: target.effect)
        }
    }

    private init(whole size: OutputSize, effect: RenderTarget.Effect?) {
        self.size = size
        self.effect = effect
        self.crop = .none
        self.position = .center
    }

    private init(
        covering box: (width: Int, height: Int), with source: (width: Int, height: Int),
        position: RenderTarget.Position, effect: RenderTarget.Effect?
    ) throws(CodecError) {
        self.effect = effect
        // A box larger than the picture shrinks, keeping its aspect ratio, until the picture fills it without
        // enlarging.
        var (width, height) = box
        if width > source.width || height > source.height {
            // The side of the box that exceeds the picture more decides.
            if width * source.height >= height * source.width {
                (width, height) = (source.width, Self.proportion(source.width, height, width))
            } else {
                (width, height) = (Self.proportion(source.height, width, height), source.height)
            }
        }
        self.size = try OutputSize(width: width, height: height)

        // The largest part with the box's aspect ratio, in pixels of the original, and the rest.
        let scale = min(Double(source.width) / Double(width), Double(source.height) / Double(height))
        let part = (width: Double(width) * scale, height: Double(height) * scale)
        let rest = (width: Double(source.width) - part.width, height: Double(source.height) - part.height)
        guard max(rest.width, rest.height) > 1e-6 else {
            (self.crop, self.position) = (.none, .center)
            return
        }
        if position == .entropy || position == .attention {
            // No search without a rest, nor in a panorama that would exceed the limits before it is cropped.
            let scaled = try? OutputSize(
                width: max(width, Int((Double(source.width) / scale).rounded())),
                height: max(height, Int((Double(source.height) / scale).rounded())))
            if let scaled, scaled != self.size {
                (self.crop, self.position) = (.search(scaled: scaled), position)
                return
            }
        }
        // Only one side has a rest; a position along the other one is the same as the centre.
        let along: Double
        switch position {
        case .left where rest.width > rest.height: (along, self.position) = (0, .left)
        case .right where rest.width > rest.height: (along, self.position) = (1, .right)
        case .top where rest.height > rest.width: (along, self.position) = (0, .top)
        case .bottom where rest.height > rest.width: (along, self.position) = (1, .bottom)
        default: (along, self.position) = (0.5, .center)
        }
        self.crop = .window(
            across: .init(start: rest.width * along, length: part.width),
            down: .init(start: rest.height * along, length: part.height))
    }

    /// Whether the crop is searched in the resampled picture.
    var isSearched: Bool { if case .search = self.crop { true } else { false } }

    /// Whether the resampled planes are the result's, without a search or a change of their colours.
    var keepsPlanes: Bool { !self.isSearched && self.duotone == nil }

    /// The size after resampling: the result's, or the size of the picture in which the crop is searched.
    var resampledSize: OutputSize {
        switch self.crop {
        case .search(let scaled): scaled
        case .none, .window: self.size
        }
    }

    /// The part of the upright original that is resampled to ``resampledSize``, in pixels.
    func window(of source: (width: Int, height: Int)) -> (across: PixelSpan, down: PixelSpan) {
        switch self.crop {
        case .window(let across, let down): (across, down)
        case .none, .search:
            (.init(start: 0, length: Double(source.width)), .init(start: 0, length: Double(source.height)))
        }
    }

    /// Pixels of the original per pixel of the result, or per unit of the blur's kernel: the resolution that a decode
    /// must provide.
    func shrinkage(of source: (width: Int, height: Int)) -> (across: Double, down: Double) {
        let (window, size, unit) = (self.window(of: source), self.resampledSize, self.blurUnit ?? 1)
        return (window.across.length * unit / Double(size.width), window.down.length * unit / Double(size.height))
    }

    /// The unit of the blur's kernel, in pixels of the result; `nil` without a blur.
    var blurUnit: Double? {
        guard self.effect == .blur else { return nil }
        return max(Self.leastBlurUnit, Double(max(self.size.width, self.size.height)) / Self.blurUnitsPerSide)
    }

    /// A smaller blur would hardly be visible.
    private static let leastBlurUnit = 4.0
    /// 48 pixels of 1920, which is a standard deviation of 34 pixels.
    private static let blurUnitsPerSide = 40.0

    var duotone: Duotone? {
        guard case .duotone(let dark, let light) = self.effect else { return nil }
        return Duotone(dark: dark, light: light)
    }

    /// The largest size within the box and within `source`, with the aspect ratio of `source`.
    ///
    /// - Throws: ``CodecError/sideTooLong(pixels:limit:)`` or ``CodecError/tooManyPixels(_:limit:)``, if a smaller
    ///   request would succeed: a picture too slender for any request gets the maximum rendered size instead.
    private static func contained(
        _ source: (width: Int, height: Int), width: Int?, height: Int?
    ) throws(CodecError) -> OutputSize {
        let longest = Self.isTooSlender(source) ? CodecLimits.maxRenderedSide : .max
        let width = min(width ?? source.width, source.width, longest)
        let height = min(height ?? source.height, source.height, longest)
        // The tighter side of the box decides.
        return width * source.height <= height * source.width
            ? try OutputSize(width: width, height: Self.proportion(width, source.height, source.width))
            : try OutputSize(width: Self.proportion(height, source.width, source.height), height: height)
    }

    /// Whether the longer side is too long even at the minimum requested size of the shorter one.
    private static func isTooSlender(_ source: (width: Int, height: Int)) -> Bool {
        let (short, long) = (min(source.width, source.height), max(source.width, source.height))
        return Self.proportion(min(short, CodecLimits.minTargetSide), long, short) > CodecLimits.maxRenderedSide
    }

    /// `a · b / c`, rounded half up in integers, at least 1.
    private static func proportion(_ a: Int, _ b: Int, _ c: Int) -> Int {
        max(1, (2 * a * b + c) / (2 * c))
    }
}

/// A range along one axis of a picture, in fractional pixels.
public struct PixelSpan: Hashable, Sendable {
    public var start, length: Double
}

extension OutputSize {
    /// The size that is `width` wide and keeps the aspect ratio of `source`, rounded, at least 1 and never enlarged.
    ///
    /// - Parameters:
    ///   - source: The upright original's size in pixels.
    ///   - width: The requested width; `nil` for the original's.
    /// - Throws: ``CodecError/sideTooLong(pixels:limit:)`` or ``CodecError/tooManyPixels(_:limit:)``.
    public init(fitting source: (width: Int, height: Int), width: Int?) throws(CodecError) {
        self = try Framing(of: source, as: RenderTarget(width: width, format: .jpeg)).size
    }
}
