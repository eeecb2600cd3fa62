import Glibc
package import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The service's certificate and key, reloaded when their files change.
///
/// Existing connections keep their credentials.
package final class TLSCredentials: Sendable {
    /// Why the files cannot be used.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        /// A sentence.
        package let description: String
    }

    /// Identifies a version of a file.
    private struct Stamp: Hashable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int

        /// `nil` if there is no such file.
        init?(_ path: String) {
            var facts = stat()
            guard stat(path, &facts) == 0 else { return nil }
            self.device = UInt64(facts.st_dev)
            self.inode = UInt64(facts.st_ino)
            self.size = Int64(facts.st_size)
            self.seconds = facts.st_mtim.tv_sec
            self.nanoseconds = facts.st_mtim.tv_nsec
        }
    }

    private struct State {
        var context: NIOSSLContext
        /// Stamps of the last examined files, usable or not.
        var stamps: [Stamp?]
    }

    /// Names of the supported protocols (RFC 7301), the preferred one first.
    static let applicationProtocols = ["h2", "http/1.1"]

    /// The cipher suites of TLS 1.2 with forward secrecy and authenticated encryption, which RFC 9325, 4.2, recommends.
    /// All suites of TLS 1.3 have both.
    private static let cipherSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// How long to wait for the client's close_notify.
    private static let farewell = TimeAmount.seconds(1)

    private let certificatePath: String
    private let keyPath: String
    private let state: Mutex<State>

    /// - Parameters:
    ///   - certificatePath: A PEM file: the service's certificate, then intermediate ones up to a root.
    ///   - keyPath: A PEM file: the key of the service's certificate, without a passphrase.
    package init(certificatePath: String, keyPath: String) throws(Failure) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        // Before reading: changes in between cause another reload.
        let stamps = [Stamp(certificatePath), Stamp(keyPath)]
        let context = try Self.context(certificatePath, keyPath)
        self.state = Mutex(State(context: context, stamps: stamps))
    }

    var context: NIOSSLContext { self.state.withLock { $0.context } }

    /// Reloads the files if they have changed.
    ///
    /// - Returns: Whether they have changed.
    /// - Throws: ``Failure``, once for each unusable change; the previous credentials stay in use.
    @discardableResult
    package func renew() throws(Failure) -> Bool {
        let stamps = [Stamp(self.certificatePath), Stamp(self.keyPath)]
        let isNew = self.state.withLock { state in
            defer { state.stamps = stamps }
            return state.stamps != stamps
        }
        guard isNew else { return false }
        let context = try Self.context(self.certificatePath, self.keyPath)
        self.state.withLock { $0.context = context }
        return true
    }

    /// Reads the files, changed or not, without using them yet.
    ///
    /// - Returns: A function that applies them to subsequent connections.
    package func preparedRenewal() throws(Failure) -> @Sendable () -> Void {
        let stamps = [Stamp(self.certificatePath), Stamp(self.keyPath)]
        let context = try Self.context(self.certificatePath, self.keyPath)
        return {
            self.state.withLock { state in
                state.context = context
                state.stamps = stamps
            }
        }
    }

    private static func context(_ certificatePath: String, _ keyPath: String) throws(Failure) -> NIOSSLContext {
        let chain = try Self.reading("certificate", certificatePath) { try NIOSSLCertificate.fromPEMFile($0) }
        guard !chain.isEmpty else { throw Failure(description: "\(certificatePath) holds no certificate") }
        let key = try Self.reading("key", keyPath) { try NIOSSLPrivateKey(file: $0, format: .pem) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = Self.cipherSuites
        configuration.shutdownTimeout = Self.farewell
        configuration.applicationProtocols = Self.applicationProtocols
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw Failure(description: "the key in \(keyPath) does not match the certificate in \(certificatePath)")
        }
    }

    private static func reading<Value>(
        _ what: String, _ path: String, _ read: (String) throws -> Value
    ) throws(Failure) -> Value {
        guard access(path, R_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw Failure(description: "the \(what) \(path) cannot be read: \(reason)")
        }
        do {
            return try read(path)
        } catch {
            throw Failure(description: "\(path) holds no \(what) in PEM, or one with a passphrase")
        }
    }
}

/// Periodically checks whether the service's certificate was renewed, and reloads it.
package struct CertificateReloader: Service {
    package static let defaultPeriod = Duration.seconds(10)

    private let credentials: TLSCredentials
    private let period: Duration
    private let logger: Logger

    /// - Parameter period: Interval between checks; positive.
    package init(_ credentials: TLSCredentials, period: Duration = CertificateReloader.defaultPeriod, logger: Logger) {
        self.credentials = credentials
        self.period = period
        self.logger = logger
    }

    package func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    try await Task.sleep(for: self.period)
                    self.look()
                }
            }
        } catch is CancellationError {
            // Expected at the end.
        }
    }

    package func look() {
        do throws(TLSCredentials.Failure) {
            if try self.credentials.renew() { self.logger.notice("The TLS certificate was renewed") }
        } catch {
            self.logger.error(
                "The new TLS certificate cannot be used; the old one remains in use",
                metadata: ["error.message": "\(error)"])
        }
    }
}
