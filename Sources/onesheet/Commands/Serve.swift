import ArgumentParser
import Glibc
import Logging
import NIOCore
import PosterCodec

/// `onesheet serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves posters over HTTP.",
        discussion: "Without options it serves the embedded catalogue; no account and no network are needed.")

    @Option(help: "Address to listen on. Default: 127.0.0.1")
    var host: String?

    @Option(help: "Port to listen on, 0 for any free one. Default: 8080")
    var port: String?

    @Option(help: "Folder for originals and the library. Default: onesheet in the XDG data home")
    var dataDir: String?

    @Option(help: "Memory for encoded variants. Default: 256MiB")
    var memoryBudget: String?

    @Option(
        name: .customLong("origin"),
        help: """
            NAME=https://host/path/{key}.jpg, repeatable: /poster/NAME:key comes from there. {+key} lets keys hold '/'. \
            In the environment separated by commas.
            """)
    var origins: [String] = []

    @Flag(inversion: .prefixedNo, help: "Let origins be at loopback and private addresses. Default: no")
    var allowPrivateOrigins: Bool?

    @Option(help: "Threads that decode and encode. Default: one per core")
    var codecThreads: String?

    @Option(help: "Renders that may wait for a codec thread before new ones get 503. Default: 256")
    var codecQueue: String?

    @Option(help: "Seconds that clients may keep a poster. Default: 86400")
    var maxAge: String?

    @Option(help: "Connections that are accepted at once. Default: 4096")
    var maxConnections: String?

    @Option(help: "Seconds to connect to an origin, name resolution and TLS included. Default: 5")
    var fetchConnectTimeout: String?

    @Option(help: "Seconds for a whole fetch, redirects included. Default: 20")
    var fetchTimeout: String?

    @Option(help: "Bytes a second below which a fetch is too slow. Default: 1024")
    var fetchLowSpeed: String?

    @Option(help: "Seconds that a fetch may be too slow. Default: 10")
    var fetchLowSpeedTime: String?

    @Option(help: "Largest original. Default: 32MiB")
    var fetchMaxBytes: String?

    @Option(help: "Redirects that are followed. Default: 3")
    var fetchMaxRedirects: String?

    @Option(help: "Fetches under way at once before new ones get 503. Default: 128")
    var fetchMaxTransfers: String?

    @Option(help: "Seconds that an original that is no usable picture is not asked for again. Default: 30")
    var failureMemory: String?

    @Option(help: "full, balanced or fast: how much of progressive JPEGs may be left out. Default: balanced")
    var effort: String?

    @OptionGroup(title: "Limits of originals")
    var limits: LimitOptions

    @Option(help: "trace, debug, info, notice, warning, error or critical. Default: notice")
    var logLevel: String?

    func run() async throws {
        ProcessHeap.settle()
        let configuration: ServeConfiguration
        do {
            configuration = try ServeConfiguration(Settings(self.given))
        } catch let error as SettingError {
            throw ValidationError(error.description)
        }
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var logger = Logger(label: "onesheet")
        logger.logLevel = configuration.logLevel
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
            ("host", self.host), ("port", self.port), ("data-dir", self.dataDir), ("memory-budget", self.memoryBudget),
            ("codec-threads", self.codecThreads), ("codec-queue", self.codecQueue), ("max-age", self.maxAge),
            ("max-connections", self.maxConnections), ("fetch-connect-timeout", self.fetchConnectTimeout),
            ("fetch-timeout", self.fetchTimeout), ("fetch-low-speed", self.fetchLowSpeed),
            ("fetch-low-speed-time", self.fetchLowSpeedTime), ("fetch-max-bytes", self.fetchMaxBytes),
            ("fetch-max-redirects", self.fetchMaxRedirects), ("fetch-max-transfers", self.fetchMaxTransfers),
            ("failure-memory", self.failureMemory), ("effort", self.effort), ("log-level", self.logLevel),
        ]
        var given = Dictionary(uniqueKeysWithValues: single.compactMap { name, value in value.map { (name, [$0]) } })
        if !self.origins.isEmpty { given["origin"] = self.origins }
        given["allow-private-origins"] = self.allowPrivateOrigins.map { ["\($0)"] }
        return given.merging(self.limits.given) { $1 }
    }
}
