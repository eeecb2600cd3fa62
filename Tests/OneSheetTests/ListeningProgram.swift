import Foundation
import PosterTesting

/// A running `onesheet serve` that listens where its arguments say; killed on deinit.
final class ListeningProgram: Sendable {
    /// The places printed at the start, in order.
    let places: [String]
    private let program: ChildProgram
    private let folder = TemporaryFolder()

    /// Returns once the server accepts connections.
    ///
    /// - Parameter inherited: Sockets passed on with systemd's protocol.
    init(_ arguments: [String], environment: [String: String] = [:], inherited: [Int32] = []) async throws {
        let output = try OutputPipe()
        let errors = URL(filePath: self.folder.path + "/errors")
        try Data().write(to: errors)
        let file = try FileHandle(forWritingTo: errors)
        self.program = try Program.start(
            ["serve", "--data-dir", self.folder.path + "/data"] + arguments, environment: environment,
            inherited: inherited, output: output.descriptor, errors: file.fileDescriptor)
        output.closeWriting()
        try file.close()
        self.places = try await onOwnThread {
            var text = ""
            while !text.contains("\n") {
                let bytes = output.read()
                guard !bytes.isEmpty else { throw HTTPConnection.Failure.notServing }
                text += String(decoding: bytes, as: UTF8.self)
            }
            let words = text.split(separator: " ")
            return words.dropFirst(2).prefix { $0 != "and" }.map { String($0.trimmingSuffix { $0 == "," }) }
        }
    }

    /// The TCP port of a place.
    func port(_ index: Int = 0) throws -> Int {
        guard let port = URL(string: self.places[index])?.port else { throw HTTPConnection.Failure.notServing }
        return port
    }

    func signal(_ number: Int32) {
        self.program.signal(number)
    }

    /// Sends SIGTERM and waits.
    ///
    /// - Returns: The exit status.
    func stop() async throws -> Int32 {
        self.signal(SIGTERM)
        return try await self.ended()
    }

    func ended() async throws -> Int32 {
        let program = self.program
        return try await onOwnThread { program.wait() }
    }

    /// Standard error so far.
    var errors: String {
        FileManager.default.contents(atPath: self.folder.path + "/errors").map { String(decoding: $0, as: UTF8.self) }
            ?? "they cannot be read"
    }
}

extension String.SubSequence {
    fileprivate func trimmingSuffix(_ isDropped: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, isDropped(last) { text.removeLast() }
        return text
    }
}
