import Foundation
import Testing

@testable import PosterCodec

/// Files from other programs, such as libavif's own tests, compared with libavif's conversion to RGB.
@Suite(.computingThread) struct AVIFSampleTests {
    /// An existing folder of AVIFs.
    static let folder = ProcessInfo.processInfo.environment["ONESHEET_AVIF_SAMPLES"]

    static let files: [String] = {
        guard let folder, let paths = FileManager.default.enumerator(atPath: folder) else { return [] }
        return paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".avif") || $0.hasSuffix(".avifs") }.sorted()
    }()

    @Test(
        "each sample is decoded like libavif does, or refused with a reason",
        .enabled(if: folder != nil, "ONESHEET_AVIF_SAMPLES names no folder"), arguments: files)
    func decodes(file: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder ?? "")/\(file)")))
        let reference = EncodedAVIF.reference(bytes)
        let header: ImageHeader
        do {
            header = try bytes.header()
        } catch {
            print("\(file): \(error)\(reference == nil ? "; libavif refuses it, too" : "")")
            #expect(reference == nil || Self.isByName(error), "\(file): \(error)")
            return
        }
        let pixels = try bytes.pixels().rgba
        guard let reference else {
            print("\(file): only decoded here, \(pixels.width)×\(pixels.height)")
            return
        }
        guard header.orientation == .upright, (pixels.width, pixels.height) == (reference.width, reference.height),
            !header.hasICCProfile, header.coding?.isPlain == true
        else {
            print("\(file): \(pixels.width)×\(pixels.height), turned, cropped or in another colour space")
            return
        }
        let decibels = pixels.visibleDecibels(against: reference) ?? 0
        print("\(file): \((10 * decibels).rounded() / 10) dB")
        // libavif upsamples chroma with another filter.
        #expect(decibels >= 35, "\(file)")
    }

    private static func isByName(_ error: CodecError) -> Bool {
        if case .unsupported = error { true } else { false }
    }
}
