import Glibc

/// A self-signed certificate and its key, created by `openssl`.
public struct TestCertificate: Sendable {
    /// The path of the certificate, a PEM file.
    public let certificatePath: String
    /// The path of the key, a PEM file.
    public let keyPath: String

    /// The path of `openssl`; `nil` if it is not installed.
    public static let program = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first { (path: String) in
        access(path, X_OK) == 0
    }

    /// Whether `openssl` is installed.
    public static var isAvailable: Bool { Self.program != nil }

    /// Creates both files, replacing existing ones. Blocks.
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
