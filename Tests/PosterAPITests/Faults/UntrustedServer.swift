import PosterTesting
import Testing

/// A TLS server with a self-signed certificate.
final class UntrustedServer {
    let port: Int
    private let folder = TemporaryFolder()
    private let server: ChildProgram
    private let input: OutputPipe
    private let output: OutputPipe

    static var isAvailable: Bool { TestCertificate.isAvailable }

    init() throws {
        let program = try #require(TestCertificate.program)
        let certificate = try TestCertificate(in: self.folder.path)
        self.port = try FreePort.find()
        self.input = try OutputPipe()
        self.output = try OutputPipe()
        self.server = try ChildProgram(
            program,
            [
                "s_server", "-accept", "127.0.0.1:\(self.port)", "-cert", certificate.certificatePath, "-key",
                certificate.keyPath,
            ],
            input: self.input.readingDescriptor, output: self.output.descriptor)
        self.output.closeWriting()
    }

    /// Returns once the server accepts connections. Waits for its output, as it serves only one connection at a time.
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
