/// Boxes and glyphs to blend into the rows of a picture, in the order of drawing.
///
/// Its memory depends on the glyphs alone: boxes are computed row by row.
struct PictureOverlay: Sendable {
    /// A box with rounded corners, anti-aliased.
    struct Box: Sendable {
        /// In pixels, inside the picture.
        var x, y, width, height: Int
        /// The radius of the corners in pixels, at most half the shorter side.
        var radius: Int
        var colour: RenderTarget.Colour
        /// 255 is opaque.
        var opacity: UInt8
    }

    /// The coverage of glyphs in one colour.
    struct Glyphs: Sendable {
        /// In pixels, inside the picture.
        var x, y, width, height: Int
        var colour: RenderTarget.Colour
        /// `width * height` values, row by row; 255 is covered.
        var coverage: [UInt8]
    }

    enum Piece: Sendable {
        case box(Box)
        case glyphs(Glyphs)
    }

    var pieces: [Piece]
}

/// The coverage of a piece's rows, computed as blending needs them.
extension PictureOverlay.Piece {
    /// The columns of the picture that the piece covers.
    var columns: Range<Int> {
        switch self {
        case .box(let box): box.x..<box.x + box.width
        case .glyphs(let glyphs): glyphs.x..<glyphs.x + glyphs.width
        }
    }

    /// The rows of the picture that the piece covers.
    var rows: Range<Int> {
        switch self {
        case .box(let box): box.y..<box.y + box.height
        case .glyphs(let glyphs): glyphs.y..<glyphs.y + glyphs.height
        }
    }

    var colour: RenderTarget.Colour {
        switch self {
        case .box(let box): box.colour
        case .glyphs(let glyphs): glyphs.colour
        }
    }

    /// Whether the piece lies in a picture of this size and is complete.
    func isValid(in size: OutputSize) -> Bool {
        switch self {
        case .box(let box):
            return Self.fits(box.x, box.width, in: size.width) && Self.fits(box.y, box.height, in: size.height)
                && (0...min(box.width, box.height) / 2).contains(box.radius)
        case .glyphs(let glyphs):
            return Self.fits(glyphs.x, glyphs.width, in: size.width)
                && Self.fits(glyphs.y, glyphs.height, in: size.height)
                && glyphs.coverage.count == glyphs.width * glyphs.height
        }
    }

    private static func fits(_ start: Int, _ length: Int, in side: Int) -> Bool {
        (0...side).contains(start) && (0...side - start).contains(length)
    }

    /// Writes the coverage of ``columns`` in row `y`, one of ``rows``; 255 is covered.
    func writeCoverage(of y: Int, into row: UnsafeMutablePointer<UInt8>) {
        switch self {
        case .box(let box): box.writeCoverage(of: y, into: row)
        case .glyphs(let glyphs):
            glyphs.coverage.withUnsafeBufferPointer { coverage in
                guard let start = coverage.baseAddress else { return }
                row.update(from: start + (y - glyphs.y) * glyphs.width, count: glyphs.width)
            }
        }
    }
}

extension PictureOverlay.Box {
    /// Samples of a row's height at which the width of a corner is computed.
    private static let parts = 8
    /// The unit of widths per pixel.
    private static let unit: Int32 = 256

    fileprivate func writeCoverage(of y: Int, into row: UnsafeMutablePointer<UInt8>) {
        row.update(repeating: self.opacity, count: self.width)
        let top = y - self.y
        // Rows from the nearer edge; both ends of the box have the same corners.
        let distance = min(top, self.height - 1 - top)
        guard distance < self.radius else { return }
        let insets = self.insets(distance)
        for x in 0..<self.radius {
            let covered = (SIMD8(repeating: Self.unit * Int32(x + 1)) &- insets)
                .clamped(lowerBound: .zero, upperBound: SIMD8(repeating: Self.unit)).wrappedSum()
            let whole = Int32(Self.parts) * Self.unit
            // Further pixels are covered, too.
            guard covered < whole else { return }
            let coverage = UInt8(truncatingIfNeeded: (covered &* Int32(self.opacity) &+ whole / 2) / whole)
            row[x] = coverage
            row[self.width - 1 - x] = coverage
        }
    }

    /// How far the corner's circle is from the side of the box in the parts of a row, in ``unit``.
    ///
    /// - Parameter distance: Rows between the row and the nearer edge, less than the radius.
    private func insets(_ distance: Int) -> SIMD8<Int32> {
        var insets = SIMD8<Int32>()
        let radius = Double(self.radius)
        for part in 0..<Self.parts {
            let height = radius - Double(distance) - (Double(part) + 0.5) / Double(Self.parts)
            let inset = radius - (radius * radius - height * height).squareRoot()
            insets[part] = Int32((inset * Double(Self.unit)).rounded())
        }
        return insets
    }
}
