import Foundation
import Testing

@testable import PosterCodec

/// Files from other programs, such as Debian's libjxl-testdata, compared with djxl's conversion to PNG.
@Suite(.computingThread) struct JXLSampleTests {
    /// An existing folder of JPEG XLs.
    static let folder = ProcessInfo.processInfo.environment["ONESHEET_JXL_SAMPLES"]

    static let files: [String] = {
        guard let folder, let paths = FileManager.default.enumerator(atPath: folder) else { return [] }
        return paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".jxl") }.sorted()
    }()

    @Test(
        "each sample is decoded like djxl does, or refused with a reason",
        .enabled(if: folder != nil, "ONESHEET_JXL_SAMPLES names no folder"), arguments: files)
    func decodes(file: String) throws {
        let path = "\(Self.folder ?? "")/\(file)"
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let reference = try Self.png(of: path)
        let header: ImageHeader
        let pixels: PixelBuffer
        do throws(CodecError) {
            header = try bytes.header()
            pixels = try bytes.pixels().rgba
        } catch {
            print("\(file): \(error)\(reference == nil ? "; djxl refuses it, too" : "")")
            return
        }
        // djxl 0.7 writes samples of other depths without scaling them.
        guard let reference, header.bitDepth == 8 || header.bitDepth == 16 else {
            print("\(file): only decoded here, \(pixels.width)×\(pixels.height)")
            return
        }
        let expected = try reference.pixels().rgba
        guard (pixels.width, pixels.height) == (expected.width, expected.height) else {
            print("\(file): \(pixels.width)×\(pixels.height) instead of \(expected.width)×\(expected.height)")
            return
        }
        let decibels = pixels.visibleDecibels(against: expected) ?? 99
        print("\(file): \((10 * decibels).rounded() / 10) dB")
        #expect(decibels >= 35, "\(file)")
    }

    /// - Returns: `nil` if djxl refuses the file.
    private static func png(of path: String) throws -> [UInt8]? {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = Process()
        program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        program.arguments = ["djxl", path, folder.appending(path: "picture.png").path]
        (program.standardOutput, program.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try program.run()
        program.waitUntilExit()
        // Of an animation, each frame is a file; names are in order.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.first.map { [UInt8](try Data(contentsOf: folder.appending(path: $0))) }
    }
}
