import Foundation
import PosterTesting

/// Prometheus' checker.
enum Promtool {
    static let path = "/usr/bin/promtool"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: Self.path) }

    /// - Returns: The exit status and the output.
    static func run(_ arguments: [String], input: String = "") async throws -> (status: Int32, text: String) {
        let folder = TemporaryFolder()
        let file = URL(filePath: folder.path + "/input")
        try Data(input.utf8).write(to: file)
        let handle = try FileHandle(forReadingFrom: file)
        let output = try OutputPipe()
        let program = try ChildProgram(
            Self.path, arguments, input: handle.fileDescriptor, output: output.descriptor, errors: output.descriptor)
        output.closeWriting()
        try handle.close()
        let text = try await onOwnThread { String(decoding: output.readAll(), as: UTF8.self) }
        return (try await onOwnThread { program.wait() }, text)
    }
}
