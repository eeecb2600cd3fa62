import Foundation
import PosterTesting
import Testing

/// A server of TLS whose certificate nobody has signed but itself.
final class UntrustedServer {
    let port: Int
    private let folder = TemporaryFolder()
    private let server: ChildProgram
    private let input: OutputPipe
    private let output: OutputPipe

    /// nil when the machine lacks it.
    private static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    static var isAvailable: Bool { Self.openssl != nil }

    init() throws {
        let program = try #require(Self.openssl)
        let (key, certificate) = ("\(self.folder.path)/key.pem", "\(self.folder.path)/certificate.pem")
        let signing = try ChildProgram(
            program,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
            ])
        try #require(signing.wait() == 0)
        self.port = try FreePort.find()
        self.input = try OutputPipe()
        self.output = try OutputPipe()
        self.server = try ChildProgram(
            program, ["s_server", "-accept", "127.0.0.1:\(self.port)", "-cert", certificate, "-key", key],
            input: self.input.readingDescriptor, output: self.output.descriptor)
        self.output.closeWriting()
    }

    /// Returns when it can be connected to. Not by trying: it serves one connection after the other.
    func started() async throws {
        let output = self.output
        try await onOwnThread {
            var text = ""
            while !text.contains("ACCEPT") {
                let bytes = output.read()
                guard !bytes.isEmpty else { throw HTTPConnection.Failure(description: "openssl does not serve") }
                text += String(decoding: bytes, as: UTF8.self)
            }
        }
    }
}
