import FoundationEssentials
import Testing

@testable import PosterCodec

/// PngSuite and others, which are not part of the repository.
@Suite(.computingThread, .enabled(if: !Corpus.folders.isEmpty, "there is no corpus beside the repository"))
struct PNGCorpusTests {
    /// Files that no browser shows either.
    static func isBroken(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        // PngSuite's are named so; the others have no picture, or something before the header.
        return name.hasPrefix("x") || name.contains("_x_") && name.contains("1075")
            || ["num_frames_zero", "commentFirst"].contains { name.contains($0) }
    }

    @Test(
        "PNGs that browsers show give a picture, others throw",
        arguments: Corpus.folders.filter { $0.hasPrefix("conformance/png") })
    func decodes(folder: String) throws {
        for path in Corpus.files(in: folder) where path.hasSuffix(".png") {
            let bytes = try Corpus.bytes(of: path)
            if Self.isBroken(path) {
                #expect(throws: CodecError.self, "\(path)") { try bytes.rendered(width: 32, format: .png) }
            } else {
                #expect(throws: Never.self, "\(path)") {
                    let picture = try bytes.rendered(width: 32, format: .png)
                    let header = try picture.bytes.header()
                    #expect(header.width == picture.size.width && header.height == picture.size.height)
                }
            }
        }
    }
}
