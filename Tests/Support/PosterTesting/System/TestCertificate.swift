import Glibc

/// A self-signed certificate and its key, made by the program `openssl`.
public struct TestCertificate: Sendable {
    /// PEM files.
    public let certificatePath: String
    /// PEM files.
    public let keyPath: String

    /// Where `openssl` is; nil when the machine lacks it.
    public static let program = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first { (path: String) in
        access(path, X_OK) == 0
    }

    /// Whether there can be any.
    public static var isAvailable: Bool { Self.program != nil }

    /// Makes both, replacing existing files; blocks.
    ///
    /// - Parameter name: The common name.
    /// - Throws: ``ChildProgram/Failure``.
    public init(in folder: String, name: String = "localhost") throws {
        self.certificatePath = "\(folder)/certificate.pem"
        self.keyPath = "\(folder)/key.pem"
        guard let program = Self.program else { throw ChildProgram.Failure(description: "there is no openssl") }
        let signing = try ChildProgram(
            program,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.keyPath, "-out",
                self.certificatePath,
            ])
        guard signing.wait() == 0 else { throw ChildProgram.Failure(description: "openssl made no certificate") }
    }
}
