import FoundationEssentials
import HTTPFetch
import Logging
import PosterCodec
import PosterHTTP
import PosterOrigins
import PosterPipeline

/// What `onesheet serve` runs with.
struct ServeConfiguration {
    var host: String
    /// 0 lets the system choose.
    var port: Int
    var dataDirectory: String
    var memoryBudget: Int
    var origins: [String: OriginTemplate]
    var codecThreads: Int
    /// Renders that may wait for a codec thread.
    var codecQueue: Int
    var maxAge: Duration
    var maxConnections: Int
    var fetch: FetchConfiguration
    var codecLimits: CodecLimits
    /// For how long an original that is no usable picture is not asked for again.
    var failureDuration: Duration
    var effort: RenderTarget.Effort
    var logLevel: Logger.Level

    /// - Throws: ``SettingError``.
    init(_ settings: Settings) throws {
        self.host = settings.text("host") ?? "127.0.0.1"
        self.port = try settings.number("port", in: 0...65535) ?? 8080
        self.dataDirectory = settings.text("data-dir") ?? Self.defaultDataDirectory
        self.memoryBudget = try settings.byteCount("memory-budget", atLeast: 0) ?? 256 << 20
        self.origins = try Self.origins(settings.texts("origin"))
        self.codecThreads =
            try settings.number("codec-threads", in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount
        self.codecQueue = try settings.number("codec-queue", in: 0...100_000) ?? 256
        self.maxAge = try settings.seconds("max-age", in: 0...31_536_000) ?? .seconds(86_400)
        self.maxConnections = try settings.number("max-connections", in: 1...1_000_000) ?? 4096
        self.fetch = FetchConfiguration()
        self.codecLimits = try CodecLimits(settings)
        self.failureDuration =
            try settings.seconds("failure-memory", in: 0...86_400) ?? PosterPipeline.defaultFailureDuration
        self.effort = try settings.choice("effort") ?? .balanced
        self.logLevel =
            try settings.value("log-level", allowed: Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")) {
                Logger.Level(rawValue: $0)
            } ?? .notice
        try self.readLimits(settings)
    }

    private mutating func readLimits(_ settings: Settings) throws {
        self.fetch.userAgent = "OneSheet/\(ProductVersion.current)"
        self.fetch.allowPrivateAddresses = try settings.isOn("allow-private-origins")
        if let value = try settings.seconds("fetch-connect-timeout", in: 0.001...3600) {
            self.fetch.connectTimeout = value
        }
        if let value = try settings.seconds("fetch-timeout", in: 0.001...3600) { self.fetch.totalTimeout = value }
        if let value = try settings.number("fetch-low-speed", in: 1...1 << 30) {
            self.fetch.lowSpeedBytesPerSecond = value
        }
        if let value = try settings.seconds("fetch-low-speed-time", in: 1...3600) {
            self.fetch.lowSpeedDuration = value
        }
        if let value = try settings.byteCount("fetch-max-bytes") { self.fetch.maxBytes = value }
        if let value = try settings.number("fetch-max-redirects", in: 0...20) { self.fetch.maxRedirects = value }
        if let value = try settings.number("fetch-max-transfers", in: 1...10_000) { self.fetch.maxTransfers = value }
        self.codecLimits.maxBytes = self.fetch.maxBytes
    }

    /// Reads `NAME=https://host/path/{key}.jpg`.
    private static func origins(_ texts: [String]) throws -> [String: OriginTemplate] {
        var origins: [String: OriginTemplate] = [:]
        for text in texts {
            let form = "NAME=https://host/path/{key}.jpg"
            guard let equals = text.firstIndex(of: "=") else {
                throw SettingError(option: "origin", value: text, allowed: form)
            }
            let name = String(text[..<equals])
            guard PosterID.isSourceName(name) else {
                throw SettingError(
                    option: "origin", value: text,
                    allowed: "\(form), where NAME is lower-case letters, digits and hyphens, at most 32")
            }
            guard !PosterID.reservedSources.contains(name) else {
                let reserved = PosterID.reservedSources.sorted().joined(separator: ", ")
                throw SettingError(option: "origin", value: text, allowed: "any NAME but \(reserved)")
            }
            guard origins[name] == nil else {
                throw SettingError(option: "origin", value: text, allowed: "each NAME once")
            }
            do {
                origins[name] = try OriginTemplate(String(text[text.index(after: equals)...]))
            } catch {
                throw SettingError(option: "origin", value: text, allowed: "\(form); \(error.reason)")
            }
        }
        return origins
    }

    /// The XDG data home's folder for this program.
    private static var defaultDataDirectory: String {
        let environment = ProcessInfo.processInfo.environment
        // The specification wants relative paths ignored.
        if let home = environment["XDG_DATA_HOME"], home.hasPrefix("/") { return home + "/onesheet" }
        return (environment["HOME"] ?? "/var/lib") + "/.local/share/onesheet"
    }
}
