import Foundation

/// An installed program that converts pictures, for comparison.
enum ReferenceDecoder {
    /// The files of a folder from an environment variable, with one of the endings.
    static func files(in folder: String?, endings: [String]) -> [String] {
        guard let folder, let paths = FileManager.default.enumerator(atPath: folder) else { return [] }
        return paths.compactMap { $0 as? String }.filter { path in endings.contains { path.hasSuffix($0) } }.sorted()
    }

    /// Runs a program with an output file in a new folder as its last argument.
    /// - Returns: The PNGs that it wrote, by name in order: several for an animation, or for several pictures.
    static func pictures(_ program: String, _ arguments: [String]) throws -> [[UInt8]] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try Self.output(program, arguments + [folder.appending(path: "picture.png").path])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try names.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
            .map { [UInt8](try Data(contentsOf: folder.appending(path: $0))) }
    }

    /// The standard output of a program.
    static func output(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, FileHandle.nullDevice)
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return String(decoding: output ?? Data(), as: UTF8.self)
    }
}
