/// A plane as the decoder delivers it, according to the header.
struct DecodedPlane: Hashable {
    /// Decoded samples per pixel of the original, along its stored rows and columns.
    let across, down: Double
    /// Decoded samples per sample of the file, along each side.
    let scale: Double
    let isChroma: Bool

    /// A plane that is not subsampled.
    static func whole(at scale: DecodeScale) -> DecodedPlane {
        DecodedPlane(across: scale.factor, down: scale.factor, scale: scale.factor, isChroma: false)
    }

    /// The planes of a picture without subsampling and alpha.
    static func whole(of source: ImageHeader, at scale: DecodeScale) -> [DecodedPlane] {
        let count = source.colourModel == .gray ? 1 : source.colourModel == .cmyk ? 4 : 3
        return .init(repeating: self.whole(at: scale), count: count)
    }

    /// The planes of subsampled components that are decoded to blocks of `eighths` samples a side.
    static func components(of source: ImageHeader, eighths: Int) -> [DecodedPlane] {
        let most = ImageHeader.SamplingFactors.largest(of: source.sampling)
        return source.sampling.enumerated().map { index, sampling in
            let side = self.blockSide(of: sampling, eighths: eighths, most: most)
            return DecodedPlane(
                across: Double(sampling.horizontal * side) / Double(most.horizontal * 8),
                down: Double(sampling.vertical * side) / Double(most.vertical * 8), scale: Double(side) / 8,
                isChroma: index > 0 && source.colourModel == .yCbCr)
        }
    }

    /// The samples along a side of a component's decoded blocks. libjpeg decodes a subsampled component to larger
    /// blocks instead of upsampling it (jdmaster.c).
    static func blockSide(
        of sampling: ImageHeader.SamplingFactors, eighths: Int, most: ImageHeader.SamplingFactors
    ) -> Int {
        var side = eighths
        while side < 8, most.horizontal * eighths % (sampling.horizontal * side * 2) == 0,
            most.vertical * eighths % (sampling.vertical * side * 2) == 0
        {
            side *= 2
        }
        return side
    }
}
