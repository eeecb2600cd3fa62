public import Logging
public import ServiceLifecycle

/// Looks every so often whether the service's certificate was renewed.
public struct CertificateWatch: Service {
    /// How often to look, when nobody says so.
    public static let defaultPeriod = Duration.seconds(10)

    private let credentials: TLSCredentials
    private let period: Duration
    private let logger: Logger

    /// - Parameter period: Between two looks; positive.
    public init(_ credentials: TLSCredentials, period: Duration = CertificateWatch.defaultPeriod, logger: Logger) {
        self.credentials = credentials
        self.period = period
        self.logger = logger
    }

    /// Looks until the service shuts down.
    public func run() async throws {
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

    /// Looks now.
    public func look() {
        do throws(TLSCredentials.Failure) {
            if try self.credentials.renew() { self.logger.notice("The TLS certificate was renewed") }
        } catch {
            self.logger.error(
                "The new TLS certificate cannot be used; the old one stays", metadata: ["error.message": "\(error)"])
        }
    }
}
