import Foundation
import Testing

@testable import PosterCodec

/// Files from other programs, such as the tests of pillow-heif, compared with heif-convert's conversion to PNG.
@Suite(.computingThread) struct HEICSampleTests {
    /// An existing folder of HEICs.
    static let folder = ProcessInfo.processInfo.environment["ONESHEET_HEIC_SAMPLES"]

    /// The files that are refused or differ, with the reason.
    private static let exceptions = [
        "invalid_id.heic": "heif-convert takes the primary item for a thumbnail",
        "alpha.heic": "an overlay of pictures",
        "200MP.heic": "a grid of 768 cells, over the limit",
        "guitar_cw90.hif": "larger than rendered pictures may be",
    ]

    @Test(
        "each sample is decoded like heif-convert does, but for the listed ones",
        .enabled(if: folder != nil, "ONESHEET_HEIC_SAMPLES names no folder"),
        arguments: ReferenceDecoder.files(in: folder, endings: [".heic", ".heif", ".hif"]))
    func decodes(file: String) throws {
        let path = "\(Self.folder ?? "")/\(file)"
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let references = try ReferenceDecoder.pictures("heif-convert", [path])
        let exception = Self.exceptions[URL(fileURLWithPath: file).lastPathComponent]
        let pixels: PixelBuffer
        do throws(CodecError) {
            pixels = try bytes.pixels().rgba
        } catch {
            print("\(file): \(error)\(references.isEmpty ? "; heif-convert refuses it, too" : "") \(exception ?? "")")
            #expect(references.isEmpty || exception != nil, "\(file): \(error)")
            return
        }
        guard !references.isEmpty else {
            print("\(file): only decoded here, \(pixels.width)×\(pixels.height)")
            return
        }
        // Of several pictures, each is a file.
        let pictures = try ReferenceDecoder.output("heif-info", [path]).split(separator: "\n")
            .filter { $0.hasPrefix("image: ") }
        let index = pictures.firstIndex { $0.contains("primary") } ?? 0
        let reference = try #require(references.indices.contains(index) ? references[index] : references.first)
        let expected = try reference.pixels().rgba
        let decibels = pixels.visibleDecibels(against: expected)
        print("\(file): \(decibels.map { "\((10 * $0).rounded() / 10) dB" } ?? "another size") \(exception ?? "")")
        // libheif enlarges chroma by repetition.
        #expect((decibels ?? 0) >= 30 || exception != nil, "\(file)")
    }
}
