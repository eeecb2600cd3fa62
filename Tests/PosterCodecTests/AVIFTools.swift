import Foundation

@testable import PosterCodec

/// libavif's own programs: an encoder and a decoder that are independent of the codec under test.
struct AVIFTools {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let folders = ["/usr/bin", "/usr/local/bin"]
    private static let encoder = Self.path(of: "avifenc")
    private static let decoder = Self.path(of: "avifdec")

    static var areInstalled: Bool { Self.encoder != nil && Self.decoder != nil }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "onesheet-avif-\(UUID().uuidString)")

    /// Runs `body` with a temporary folder for the programs.
    static func inFolder<Result>(_ body: (AVIFTools) throws -> Result) throws -> Result {
        let tools = AVIFTools()
        try FileManager.default.createDirectory(at: tools.folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: tools.folder) }
        return try body(tools)
    }

    /// Encodes pictures, each as a frame or as a cell.
    ///
    /// - Parameters:
    ///   - pictures: The bytes of PNGs.
    ///   - profile: An ICC profile; none if empty.
    func encode(_ pictures: [[UInt8]], _ arguments: [String], profile: [UInt8] = []) throws -> [UInt8] {
        var arguments = ["--speed", "10"] + arguments
        if !profile.isEmpty { arguments += ["--icc", try self.write(profile, "profile.icc")] }
        for (index, picture) in pictures.enumerated() { arguments.append(try self.write(picture, "\(index).png")) }
        let output = self.folder.appending(path: "picture.avif")
        try self.run(Self.encoder, arguments + [output.path])
        return [UInt8](try Data(contentsOf: output))
    }

    /// Decodes the first picture to an 8-bit PNG, without rotation and crop.
    func decode(_ bytes: [UInt8]) throws -> [UInt8] {
        let output = self.folder.appending(path: "decoded.png")
        let arguments = ["--codec", "dav1d", "--depth", "8", "--upsampling", "bilinear"]
        try self.run(Self.decoder, arguments + [try self.write(bytes, "coded.avif"), output.path])
        return [UInt8](try Data(contentsOf: output))
    }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
        let file = self.folder.appending(path: name)
        try Data(bytes).write(to: file)
        return file.path
    }

    private func run(_ program: String?, _ arguments: [String]) throws {
        guard let program else { throw Failure(description: "libavif's programs are not installed") }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(program) \(arguments.joined(separator: " ")): \(text)")
        }
    }

    private static func path(of program: String) -> String? {
        Self.folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
