/// A plane as the decoder delivers it, according to the header.
struct DecodedPlane: Hashable {
    /// Decoded samples per pixel of the original, along its stored rows and columns.
    let across, down: Double
    /// Decoded samples per sample of the file, along each side.
    let scale: Double
    let isChroma: Bool

    static func planes(of source: ImageHeader, at scale: DecodeScale) -> [DecodedPlane] {
        var planes: [DecodedPlane]
        switch source.format {
        case .jpeg: planes = self.components(of: source, eighths: scale.eighths)
        case .webp where !source.hasAlpha && !source.isLossless:
            let half = DecodedPlane(
                across: scale.factor / 2, down: scale.factor / 2, scale: scale.factor, isChroma: true)
            planes = [self.whole(at: scale), half, half]
        case .avif where !source.hasAlpha && source.colourModel == .yCbCr:
            planes = self.components(of: source, eighths: 8)
        default:
            let count = source.colourModel == .gray ? 1 : source.colourModel == .cmyk ? 4 : 3
            planes = .init(repeating: self.whole(at: scale), count: count)
        }
        if source.hasAlpha { planes.append(self.whole(at: scale)) }
        return planes
    }

    /// A plane that is not subsampled.
    private static func whole(at scale: DecodeScale) -> DecodedPlane {
        DecodedPlane(across: scale.factor, down: scale.factor, scale: scale.factor, isChroma: false)
    }

    private static func components(of source: ImageHeader, eighths: Int) -> [DecodedPlane] {
        let mostAcross = source.sampling.map(\.horizontal).max() ?? 1
        let mostDown = source.sampling.map(\.vertical).max() ?? 1
        return source.sampling.enumerated().map { index, sampling in
            let side = self.blockSide(
                of: sampling, eighths: eighths, mostAcross: mostAcross, mostDown: mostDown)
            return DecodedPlane(
                across: Double(sampling.horizontal * side) / Double(mostAcross * 8),
                down: Double(sampling.vertical * side) / Double(mostDown * 8), scale: Double(side) / 8,
                isChroma: index > 0 && source.colourModel == .yCbCr)
        }
    }

    /// The samples along a side of a component's decoded blocks. libjpeg decodes a subsampled component to larger
    /// blocks instead of upsampling it (jdmaster.c).
    static func blockSide(
        of sampling: ImageHeader.SamplingFactors, eighths: Int, mostAcross: Int, mostDown: Int
    ) -> Int {
        var side = eighths
        while side < 8, mostAcross * eighths % (sampling.horizontal * side * 2) == 0,
            mostDown * eighths % (sampling.vertical * side * 2) == 0
        {
            side *= 2
        }
        return side
    }
}

extension RenderPlan {
    /// How often the rows of the planes are halved before the filter; see
    /// ``level(samplesPerPixel:decodedAt:pixelsPerSample:)``.
    public var levels: (luma: Int, chroma: Int) {
        let planes = DecodedPlane.planes(of: self.source, at: self.scale)
        let levels = planes.map(self.level)
        let chroma = planes.firstIndex(where: \.isChroma)
        return (levels.first ?? 0, levels[chroma ?? 0])
    }

    /// How often the rows of a plane are halved before the filter.
    func level(of plane: DecodedPlane) -> Int {
        self.level(
            samplesPerPixel: (plane.across, plane.down), decodedAt: plane.scale,
            pixelsPerSample: self.pixelsPerSample(of: plane))
    }

    /// Pixels of the result per resampled sample of a plane, along each axis.
    func pixelsPerSample(of plane: DecodedPlane) -> Int {
        plane.isChroma && self.halvesChroma && self.encodesPlanes ? 2 : 1
    }

    /// Whether planes go from the resampler to the encoder without colour conversion, according to the header.
    var encodesPlanes: Bool {
        self.framing.keepsPlanes && self.format != .png && !self.source.hasAlpha && !self.source.hasICCProfile
            && self.source.coding?.isPlain != false
            && (self.source.colourModel == .yCbCr || self.source.colourModel == .gray)
    }
}
