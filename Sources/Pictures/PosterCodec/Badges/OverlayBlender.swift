/// Blends an overlay into the rows of a finished picture, in bands or all at once, with the same result. Rows without
/// overlay are not touched.
///
/// Gamma-encoded values are blended, so that Y′CbCr and sRGB give the same colours except for rounding.
struct OverlayBlender {
    private struct Layer {
        let piece: PictureOverlay.Piece
        /// Luma, blue and red chroma of the colour, in the range of the planes.
        let levels: [UInt8]
    }

    private let layers: [Layer]
    private let size: OutputSize
    private let halvesChroma: Bool
    /// Whether a gray picture stays gray.
    private let isGray: Bool

    /// - Parameters:
    ///   - size: The size of the finished picture.
    ///   - isLimitedRange: Whether planes have luma 16...235 and chroma 16...240.
    ///   - halvesChroma: Whether planes are 4:2:0 instead of 4:4:4.
    /// - Throws: ``CodecError/internalError(reason:)`` if a piece does not lie in the picture.
    init(
        _ overlay: PictureOverlay, size: OutputSize, isLimitedRange: Bool, halvesChroma: Bool
    ) throws(CodecError) {
        guard overlay.pieces.allSatisfy({ $0.isValid(in: size) }) else {
            throw .internalError(reason: "a badge outside of its picture")
        }
        let converter = YCbCrConverter(isLimitedRange: isLimitedRange, halvesChroma: false)
        self.layers = overlay.pieces.map { piece in
            Layer(piece: piece, levels: converter.planes(PixelBuffer(piece.colour)).map { $0.samples[0] })
        }
        self.size = size
        self.halvesChroma = halvesChroma
        self.isGray = overlay.pieces.allSatisfy {
            $0.colour.red == $0.colour.green && $0.colour.green == $0.colour.blue
        }
    }

    /// Blends into pixels. Gray ones become RGB if the overlay is coloured.
    ///
    /// - Parameter top: The first row's index in the picture.
    func blend(into pixels: inout PixelBuffer, top: Int) {
        if pixels.channels == 1, !self.isGray { pixels = pixels.rgb() }
        let (width, channels, band) = (pixels.width, pixels.channels, top..<top + pixels.height)
        guard self.covers(band) else { return }
        let coverage = ScratchMemory<UInt8>(count: width)
        for layer in self.layers {
            let (piece, columns) = (layer.piece, layer.piece.columns)
            let rows = piece.rows.clamped(to: band)
            guard !rows.isEmpty else { continue }
            pixels.samples.withUnsafeMutableBufferPointer { samples in
                for y in rows {
                    piece.writeCoverage(of: y, into: coverage.start)
                    let row = samples.baseAddress! + ((y - top) * width + columns.lowerBound) * channels
                    switch channels {
                    case 1: row.blend(piece.colour.red, coverage.start, count: columns.count)
                    case 3: row.blendRGB(piece.colour, coverage.start, count: columns.count)
                    default: row.blendRGBA(piece.colour, coverage.start, count: columns.count)
                    }
                }
            }
        }
    }

    /// Blends into luma, or luma and chroma, and pads them on the right. Gray gets chroma if the overlay is coloured.
    ///
    /// - Parameter top: The first row's index in the picture; even if chroma is halved.
    func blend(into planes: inout [Plane], top: Int) {
        if planes.count == 1, !self.isGray { planes += self.neutralChroma(of: planes[0]) }
        let band = top..<top + planes[0].height
        guard self.covers(band) else { return }
        let coverage = CoverageRows(width: self.size.width)
        for layer in self.layers {
            let rows = layer.piece.rows.clamped(to: band)
            guard !rows.isEmpty else { continue }
            for index in planes.indices {
                let isHalved = self.halvesChroma && index > 0
                let stride = planes[index].stride
                planes[index].samples.withUnsafeMutableBufferPointer { samples in
                    let side = isHalved ? 2 : 1
                    for y in rows.lowerBound / side..<(rows.upperBound + side - 1) / side {
                        let columns =
                            isHalved
                            ? coverage.readHalved(layer.piece, y, of: self.size) : coverage.read(layer.piece, y)
                        let row = samples.baseAddress! + (y - top / side) * stride + columns.lowerBound
                        row.blend(layer.levels[index], coverage.mean, count: columns.count)
                    }
                }
                planes[index].padRight()
            }
        }
    }

    private func covers(_ rows: Range<Int>) -> Bool { self.layers.contains { $0.piece.rows.overlaps(rows) } }

    private func neutralChroma(of luma: Plane) -> [Plane] {
        let side = self.halvesChroma ? 2 : 1
        let chroma = Plane(
            width: (luma.width + side - 1) / side, height: (luma.height + side - 1) / side, filledWith: 128)
        return [chroma, chroma]
    }
}

extension PixelBuffer {
    /// One pixel.
    fileprivate init(_ colour: RenderTarget.Colour) {
        self.init(width: 1, height: 1, channels: 3)
        self.samples = [colour.red, colour.green, colour.blue]
    }

    /// RGB of gray pixels.
    fileprivate func rgb() -> PixelBuffer {
        var all = PixelBuffer(width: self.width, height: self.height, channels: 3)
        all.samples.withUnsafeMutableBufferPointer { to in
            self.samples.withUnsafeBufferPointer { from in
                for pixel in from.indices {
                    for channel in 0..<3 { to[3 &* pixel &+ channel] = from[pixel] }
                }
            }
        }
        return all
    }
}

extension RenderPlan {
    /// Draws the badges, for blending; `nil` without any.
    func overlay() throws(CodecError) -> OverlayBlender? {
        guard let badges = self.badges else { return nil }
        let overlay = try BadgePainter.overlay(for: badges, width: self.size.width, height: self.size.height)
        return try OverlayBlender(
            overlay, size: self.size, isLimitedRange: self.format.hasLimitedRange, halvesChroma: self.halvesChroma)
    }
}
