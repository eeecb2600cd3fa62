import CodecTesting

@testable import PosterCodec

extension PictureOverlay {
    /// Boxes and glyphs at the edges of a picture of 37 × 21 pixels.
    // Computed: LeakSanitizer does not find the arrays of a global in the payload of an enumeration.
    static var mixed: PictureOverlay {
        PictureOverlay(pieces: [
            .box(
                Box(
                    x: 0, y: 12, width: 37, height: 9, radius: 4, colour: .init(red: 220, green: 30, blue: 60),
                    opacity: 200)),
            .box(
                Box(
                    x: 5, y: 3, width: 13, height: 7, radius: 3, colour: .init(red: 20, green: 40, blue: 250),
                    opacity: 255)
            ),
            .glyphs(.noise(x: 7, y: 4, width: 5, height: 5, colour: .white)),
            .glyphs(.noise(x: 30, y: 16, width: 7, height: 1, colour: .init(red: 0, green: 0, blue: 0))),
        ])
    }

    /// The same pieces in grays.
    static var gray: PictureOverlay {
        PictureOverlay(
            pieces: Self.mixed.pieces.map { piece in
                switch piece {
                case .box(var box):
                    box.colour = .init(red: 90, green: 90, blue: 90)
                    return .box(box)
                case .glyphs: return piece
                }
            })
    }

    static let size = (width: 37, height: 21)
}

extension PictureOverlay.Glyphs {
    static func noise(x: Int, y: Int, width: Int, height: Int, colour: RenderTarget.Colour) -> Self {
        var random = SeededRandom(seed: 3)
        let coverage = (0..<width * height).map { _ in UInt8.random(in: 0...255, using: &random) }
        return Self(x: x, y: y, width: width, height: height, colour: colour, coverage: coverage)
    }
}

extension PictureOverlay.Piece {
    /// The coverage of a whole picture by rows, 0...1.
    func coverage(width: Int, height: Int) -> [[Double]] {
        (0..<height).map { y in
            var row = [Double](repeating: 0, count: width)
            guard self.rows.contains(y) else { return row }
            var covered = [UInt8](repeating: 0, count: self.columns.count)
            covered.withUnsafeMutableBufferPointer { self.writeCoverage(of: y, into: $0.baseAddress!) }
            for (x, value) in zip(self.columns, covered) { row[x] = Double(value) / 255 }
            return row
        }
    }

    var rgb: [Double] { [self.colour.red, self.colour.green, self.colour.blue].map(Double.init) }
}

extension OverlayBlender {
    init(_ overlay: PictureOverlay, isLimitedRange: Bool = false, halvesChroma: Bool = false) throws {
        let size = try OutputSize(width: PictureOverlay.size.width, height: PictureOverlay.size.height)
        try self.init(overlay, size: size, isLimitedRange: isLimitedRange, halvesChroma: halvesChroma)
    }

    func blended(_ pixels: PixelBuffer) -> PixelBuffer {
        var pixels = pixels
        self.blend(into: &pixels, top: 0)
        return pixels
    }

    func blended(_ planes: [Plane]) -> [Plane] {
        var planes = planes
        self.blend(into: &planes, top: 0)
        return planes
    }
}
