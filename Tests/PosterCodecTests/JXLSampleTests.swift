import Foundation
import Testing

@testable import PosterCodec

/// Files from other programs, such as Debian's libjxl-testdata, compared with djxl's conversion to PNG.
@Suite(.computingThread) struct JXLSampleTests {
    /// An existing folder of JPEG XLs.
    static let folder = ProcessInfo.processInfo.environment["ONESHEET_JXL_SAMPLES"]

    /// The files that are refused, with the reason.
    private static let refused = [
        "square-extended-size-container.jxl": "a box has its size in 64 bits before its kind, instead of behind it"
    ]

    @Test(
        "each sample is decoded like djxl does, but for the listed ones",
        .enabled(if: folder != nil, "ONESHEET_JXL_SAMPLES names no folder"),
        arguments: ReferenceDecoder.files(in: folder, endings: [".jxl"]))
    func decodes(file: String) throws {
        let path = "\(Self.folder ?? "")/\(file)"
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        // By default, djxl 0.7 does not scale samples of 4 or 10 bits. It writes PQ in the original depth only.
        var references = try ReferenceDecoder.pictures("djxl", ["--bits_per_sample=16", path])
        if references.isEmpty { references = try ReferenceDecoder.pictures("djxl", [path]) }
        let pixels: PixelBuffer
        do throws(CodecError) {
            pixels = try bytes.pixels().rgba
        } catch {
            let reason = Self.refused[URL(fileURLWithPath: file).lastPathComponent]
            print("\(file): \(error)\(references.isEmpty ? "; djxl refuses it, too" : "") \(reason ?? "")")
            #expect(references.isEmpty || reason != nil, "\(file): \(error)")
            return
        }
        guard let reference = references.first else {
            print("\(file): only decoded here, \(pixels.width)×\(pixels.height)")
            return
        }
        let expected = try reference.pixels().rgba
        let decibels = try #require(pixels.visibleDecibels(against: expected), "\(file): another size")
        print("\(file): \((10 * decibels).rounded() / 10) dB")
        #expect(decibels >= 35, "\(file)")
    }
}
