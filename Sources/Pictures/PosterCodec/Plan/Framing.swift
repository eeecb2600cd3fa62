/// Which part of a picture is shown, and how large: what remains of a target once the original's size is known.
///
/// Two targets of the same framing give the same pixels.
public struct Framing: Hashable, Sendable {
    /// What is cut off.
    public enum Crop: Hashable, Sendable {
        /// Nothing.
        case none
        /// All but this part, which is known beforehand: in pixels of the original as shown.
        case window(across: PixelSpan, down: PixelSpan)
        /// All but the most interesting part, which is sought in the picture once it is as large as `scaled`.
        case search(scaled: OutputSize)
    }

    /// Of the result.
    public let size: OutputSize
    /// What is cut off.
    public let crop: Crop
    /// What the crop was made from; ``RenderTarget/Position/center`` where nothing is cut off.
    public let position: RenderTarget.Position

    /// - Parameter source: The original's size as shown, in pixels.
    /// - Throws: ``CodecError/sideTooLong(pixels:limit:)`` or ``CodecError/tooManyPixels(_:limit:)``.
    public init(of source: (width: Int, height: Int), as target: RenderTarget) throws(CodecError) {
        guard let width = target.width, let height = target.height else {
            self.init(whole: try Self.contained(source, width: target.width, height: target.height))
            return
        }
        switch target.fit {
        case .contain: self.init(whole: try Self.contained(source, width: width, height: height))
        case .cover: try self.init(covering: (width, height), with: source, position: target.position)
        }
    }

    private init(whole size: OutputSize) {
        self.size = size
        self.crop = .none
        self.position = .center
    }

    private init(
        covering box: (width: Int, height: Int), with source: (width: Int, height: Int),
        position: RenderTarget.Position
    ) throws(CodecError) {
        // A box that is larger than the picture shrinks, keeping its shape, until the picture fills it unenlarged.
        var (width, height) = box
        if width > source.width || height > source.height {
            // Which side of the box is further out?
            if width * source.height >= height * source.width {
                (width, height) = (source.width, Self.proportion(source.width, height, width))
            } else {
                (width, height) = (Self.proportion(source.height, width, height), source.height)
            }
        }
        self.size = try OutputSize(width: width, height: height)

        // The largest part of the box's shape, in pixels of the original, and what is left over.
        let scale = min(Double(source.width) / Double(width), Double(source.height) / Double(height))
        let part = (width: Double(width) * scale, height: Double(height) * scale)
        let rest = (width: Double(source.width) - part.width, height: Double(source.height) - part.height)
        guard max(rest.width, rest.height) > 1e-6 else {
            self.crop = .none
            self.position = .center
            return
        }
        if position == .entropy {
            // Not sought where nothing could be found, nor in a panorama that would be too long before it is cut.
            let scaled = try? OutputSize(
                width: max(width, Int((Double(source.width) / scale).rounded())),
                height: max(height, Int((Double(source.height) / scale).rounded())))
            guard let scaled, scaled != self.size else {
                self.crop = .window(
                    across: .init(start: rest.width / 2, length: part.width),
                    down: .init(start: rest.height / 2, length: part.height))
                self.position = .center
                return
            }
            self.crop = .search(scaled: scaled)
            self.position = position
            return
        }
        // Only one side has a rest. A position along the other one changes nothing, so it counts as the centre.
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

    /// The largest size within the box that keeps the aspect ratio of `source`, and is not larger than it.
    private static func contained(
        _ source: (width: Int, height: Int), width: Int?, height: Int?
    ) throws(CodecError) -> OutputSize {
        let width = min(width ?? source.width, source.width)
        let height = min(height ?? source.height, source.height)
        // The side on which the box is tighter decides.
        return width * source.height <= height * source.width
            ? try OutputSize(width: width, height: Self.proportion(width, source.height, source.width))
            : try OutputSize(width: Self.proportion(height, source.width, source.height), height: height)
    }

    /// `a · b / c`, rounded half up in integers, at least 1.
    private static func proportion(_ a: Int, _ b: Int, _ c: Int) -> Int {
        max(1, (2 * a * b + c) / (2 * c))
    }
}

/// A stretch along one axis of a picture, in pixels that need not be whole.
public struct PixelSpan: Hashable, Sendable {
    public var start, length: Double
}

extension OutputSize {
    /// The size that is `width` wide and keeps the aspect ratio of `source`, rounded, at least 1 and never enlarged.
    ///
    /// - Parameters:
    ///   - source: The original's size as shown, in pixels.
    ///   - width: The width asked for; nil for the original's.
    /// - Throws: ``CodecError/sideTooLong(pixels:limit:)`` or ``CodecError/tooManyPixels(_:limit:)``.
    public init(fitting source: (width: Int, height: Int), width: Int?) throws(CodecError) {
        self = try Framing(of: source, as: RenderTarget(width: width, format: .jpeg)).size
    }
}
