import ArgumentParser
import PosterCodec

enum Way: String, CaseIterable, ExpressibleByArgument {
    case jpeg = "downsampled"
    case webp = "downsampled-webp"
    /// To JPEG without downsampling while decoding: see ``BitmapRender``.
    case whole
    /// All variants of the usual ladder in one job, each freed after its delivery; ignores the width.
    case ladder

    /// Renders one poster, or the ladder's, and discards it.
    ///
    /// - Parameter width: In pixels, at least 1.
    func render(_ input: borrowing MappedFile, width: Int) throws -> Rendering {
        switch self {
        case .jpeg: try DownsampledRender(format: .jpeg, width: width).run(input)
        case .webp: try DownsampledRender(format: .webp, width: width).run(input)
        case .whole: try BitmapRender(width: width).run(input)
        case .ladder: Rendering(outputBytes: try LadderRender(ladder: .usual).runTogether(input).byteCount)
        }
    }
}
