import ArgumentParser
import PosterCodec

/// A way from an original to a poster.
enum Way: String, CaseIterable, ExpressibleByArgument {
    /// The codec, JPEG out.
    case jpeg = "downsampled"
    /// The codec, WebP out.
    case webp = "downsampled-webp"
    /// What an app does without downsampling while decoding, JPEG out: see ``BitmapRender``.
    case whole
    /// All variants of the usual ladder in one job, each freed when it is there; the width does not matter.
    case ladder

    /// Makes one poster, or the ladder's, and throws it away.
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
