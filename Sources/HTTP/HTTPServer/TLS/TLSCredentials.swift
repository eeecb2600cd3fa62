import Glibc
package import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The certificate and the key that the service shows, renewed when their files are.
///
/// Connections keep what they began with.
package final class TLSCredentials: Sendable {
    /// Why files cannot be used.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        /// A sentence.
        package let description: String
    }

    /// The identity of a file's version.
    private struct Stamp: Hashable {
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int

        /// nil when there is no such file.
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
        /// Of the files that were looked at last, good or not.
        var stamps: [Stamp?]
    }

    /// The names of the protocols that are served (RFC 7301), the preferred one first.
    static let applicationProtocols = ["h2", "http/1.1"]

    /// The suites of TLS 1.2 with forward secrecy and authenticated encryption, which RFC 9325, 4.2, recommends. TLS 1.3 has
    /// no others.
    private static let cipherSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// How long a client is waited for to say goodbye, too.
    private static let farewell = TimeAmount.seconds(1)

    private let certificatePath: String
    private let keyPath: String
    private let state: Mutex<State>

    /// - Parameters:
    ///   - certificatePath: PEM: the service's own certificate, then those that lead to a root.
    ///   - keyPath: PEM: the key of the first of them, without a passphrase.
    /// - Throws: ``Failure``.
    package init(certificatePath: String, keyPath: String) throws(Failure) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        // Before they are read: what changes meanwhile is read again.
        let stamps = [Stamp(certificatePath), Stamp(keyPath)]
        let context = try Self.context(certificatePath, keyPath)
        self.state = Mutex(State(context: context, stamps: stamps))
    }

    var context: NIOSSLContext { self.state.withLock { $0.context } }

    /// Reads the files again if they are others than before.
    ///
    /// - Returns: Whether they were.
    /// - Throws: ``Failure``, once for each change that cannot be used; what was in force stays in force.
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

    /// Reads the files again, whether they have changed or not, and changes nothing yet.
    ///
    /// - Returns: Lets connections that begin from then on have what was read.
    /// - Throws: ``Failure``.
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
            throw Failure(description: "the key of \(keyPath) is not that of the certificate in \(certificatePath)")
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

/// Looks every so often whether the service's certificate was renewed.
package struct CertificateReloader: Service {
    /// The default interval between checks.
    package static let defaultPeriod = Duration.seconds(10)

    private let credentials: TLSCredentials
    private let period: Duration
    private let logger: Logger

    /// - Parameter period: Between two looks; positive.
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
            // How it ends.
        }
    }

    package func look() {
        do throws(TLSCredentials.Failure) {
            if try self.credentials.renew() { self.logger.notice("The TLS certificate was renewed") }
        } catch {
            self.logger.error(
                "The new TLS certificate cannot be used; the old one stays", metadata: ["error.message": "\(error)"])
        }
    }
}
