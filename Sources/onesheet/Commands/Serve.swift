import ArgumentParser
import Glibc
import Logging
import NIOCore
import PosterCodec
import PosterHTTP

/// `onesheet serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves posters over HTTP.",
        discussion: "Without options it serves the embedded catalogue; no account and no network are needed.")

    @Option(help: "Address to listen on. Default: 127.0.0.1")
    var host: String?

    @Option(help: "Port to listen on, 0 for any free one. Default: 8080")
    var port: String?

    @Option(help: "Seconds that clients may keep a poster. Default: 86400")
    var maxAge: String?

    @Option(help: "Connections that are accepted at once. Default: 4096")
    var maxConnections: String?

    @Option(help: "Seconds that a client may take to send the head of a request. Default: 10")
    var headerTimeout: String?

    @Option(help: "Seconds that a client may take to read what was written to it. Default: 60")
    var sendTimeout: String?

    @Option(help: "Seconds that a connection may be silent between requests. Default: 60")
    var idleTimeout: String?

    @Option(help: "Seconds that a stop waits for clients that are being answered. Default: 30")
    var stopTimeout: String?

    @Option(help: "File with the token that opens the admin routes; without it there are none.")
    var adminTokenFile: String?

    @Option(help: "off, text or json: a line on standard output for each request. Default: off")
    var accessLog: String?

    @OptionGroup
    var options: ServeOptions

    func run() async throws {
        ProcessHeap.settle()
        let configuration = try ServeConfiguration.read(self.given)
        let logger = configuration.makeLogger()
        do {
            try await PosterServer(configuration: configuration, logger: logger).run()
        } catch {
            StandardError.write("onesheet: \(self.words(for: error, configuration))")
            throw ExitCode.failure
        }
    }

    private func words(for error: any Error, _ configuration: ServeConfiguration) -> String {
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE:
            "\(configuration.host):\(configuration.port) is in use; choose another with --port"
        case let error as IOError:
            "cannot listen on \(configuration.host):\(configuration.port): "
                + "\(String(cString: strerror(error.errnoCode))); choose another with --host and --port"
        case let error as SocketAddressError:
            "--host \(configuration.host) is no address to listen on: \(error)"
        default: "\(error)"
        }
    }

    /// What was given on the command line, by option name.
    private var given: [String: [String]] {
        let single: [(String, String?)] = [
            ("host", self.host), ("port", self.port), ("max-age", self.maxAge),
            ("max-connections", self.maxConnections), ("header-timeout", self.headerTimeout),
            ("send-timeout", self.sendTimeout), ("idle-timeout", self.idleTimeout),
            ("stop-timeout", self.stopTimeout), ("admin-token-file", self.adminTokenFile),
            ("access-log", self.accessLog),
        ]
        let given = Dictionary(uniqueKeysWithValues: single.compactMap { name, value in value.map { (name, [$0]) } })
        return given.merging(self.options.given) { $1 }
    }
}

extension ServeConfiguration {
    /// - Throws: `ValidationError` that names the option.
    static func read(_ given: [String: [String]]) throws -> ServeConfiguration {
        do {
            return try ServeConfiguration(Settings(given))
        } catch let error as SettingError {
            throw ValidationError(error.description)
        }
    }

    /// From which level on all loggers of the process log; may change while it runs.
    static let logThreshold = LogThreshold(.notice)

    /// To be called once: it sets the process's logging up.
    func makeLogger() -> Logger {
        let (format, threshold) = (self.logFormat, Self.logThreshold)
        threshold.level = self.logLevel
        LoggingSystem.bootstrap { ServiceLogHandler(label: $0, format: format, threshold: threshold) }
        return Logger(label: "onesheet")
    }
}
