import Foundation
import PosterTesting
import Testing

/// A server of TLS whose certificate nobody has signed but itself.
final class UntrustedServer {
    let port: Int
    private let folder = TemporaryFolder()
    private let server = Process()
    private let output = Pipe()

    /// nil when the machine lacks it.
    private static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static var isAvailable: Bool { Self.openssl != nil }

    init() throws {
        let program = URL(filePath: try #require(Self.openssl))
        let (key, certificate) = ("\(self.folder.path)/key.pem", "\(self.folder.path)/certificate.pem")
        let signing = Process()
        signing.executableURL = program
        signing.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj",
            "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
        ]
        signing.standardError = FileHandle.nullDevice
        try signing.run()
        signing.waitUntilExit()
        try #require(signing.terminationStatus == 0)
        self.port = try FreePort.find()
        self.server.executableURL = program
        self.server.arguments = [
            "s_server", "-accept", "127.0.0.1:\(self.port)", "-cert", certificate, "-key", key,
        ]
        self.server.standardInput = Pipe()
        self.server.standardOutput = self.output
        self.server.standardError = FileHandle.nullDevice
        try self.server.run()
    }

    deinit {
        // Not SIGTERM: threads of Dispatch block it, and a child process inherits that.
        kill(self.server.processIdentifier, SIGKILL)
        self.server.waitUntilExit()
    }

    /// Returns when it can be connected to. Not by trying: it serves one connection after the other.
    func started() async throws {
        let output = self.output.fileHandleForReading
        try await onOwnThread {
            var text = ""
            while !text.contains("ACCEPT") {
                let data = output.availableData
                guard !data.isEmpty else { throw HTTPConnection.Failure(description: "openssl does not serve") }
                text += String(decoding: data, as: UTF8.self)
            }
        }
    }
}
