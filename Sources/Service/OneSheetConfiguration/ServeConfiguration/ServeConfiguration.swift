package import CodecWorkers
import FoundationEssentials
package import HTTPFetch
package import HTTPServer
package import Logging
import MovieCompatibility
import MovieDomain
package import PosterAPI
package import PosterCodec
package import PosterOrigins
package import PosterPipeline

/// The configuration of `onesheet serve`.
package struct ServeConfiguration: Sendable {
    package var listening: ListeningConfiguration
    package var dataDirectory: String
    /// Memory for encoded variants and decoded planes, in bytes.
    package var memoryBudget: Int
    /// The share of ``memoryBudget`` for decoded planes, in bytes; 0 disables them.
    package var planesBudget: Int
    /// The database that nodes share; `nil` uses the node's own file.
    package var library: LibraryAddress?
    /// Disk space for originals, in bytes.
    package var diskBudget: Int
    /// Disk space for variants, in bytes; 0 disables storing them.
    package var variantDiskBudget: Int
    package var sharedStore: SharedStoreSettings?
    package var nodes: NodeSettings
    package var redis: RedisSettings?
    package var freshness: FreshnessPolicy
    package var origins: [String: OriginTemplate]
    package var codecThreads: Int
    package var isolation: Isolation
    /// How long an original that ended two workers is refused, in seconds; 0 never refuses one.
    package var quarantineSeconds: Int64
    package var codecQueue: Int
    /// The estimated memory of all running renders together, in bytes.
    package var renderMemoryBudget: Int
    /// Memory for originals that are decoded while they arrive, in bytes; 0 disables this.
    package var earlyDecodeBudget: Int
    /// The maximum number of variants queued for rendering ahead of requests.
    package var warmQueue: Int
    /// Limits of rendering a poster ahead of requests, at targets that were recently requested of other posters; `nil`
    /// disables it.
    package var ladderAhead: LadderAheadLimits?
    package var reencoding: ReencodingLimits?
    package var adminTokenFile: String?
    package var caching: ClientCaching
    /// The base of URLs in responses; `nil` leaves them relative.
    package var publicURL: PublicURL?
    package var variantsPerPoster: Int
    package var maxConnections: Int
    /// Maximum number of connections from one address; 0 disables the limit.
    package var connectionsPerAddress: Int
    /// Memory for responses that clients have not read yet, in bytes.
    package var sendMemoryBudget: Int
    package var clients: ClientPolicy
    package var signUpLimits: SignUpRateLimiter.Limits
    package var compresses: Bool
    package var servesWeb: Bool
    package var compatibility: CompatibilitySettings
    package var deadlines: ClientDeadlines
    package var fetch: FetchConfiguration
    /// Request headers sent to one origin only, by source name.
    package var credentials: OriginCredentials
    package var codecLimits: CodecLimits
    package var failureDuration: Duration
    package var effort: RenderTarget.Effort
    package var pictures: PictureSettings
    package var sources: SourceSettings
    /// Whether posters of served lists are rendered ahead of requests.
    package var warmsLists: Bool
    package var logLevel: Logger.Level
    package var logFormat: LogFormat
    /// The format of the access log; `nil` without one.
    package var accessLog: LogFormat?

    /// The default of ``planesBudget``, as a percentage of ``memoryBudget``.
    private static let planesPercentage = 12

    /// The share of ``memoryBudget`` for encoded variants, in bytes.
    package var variantsBudget: Int { self.memoryBudget - self.planesBudget }

    package init(_ settings: Settings) throws {
        self.listening = try ListeningConfiguration(settings)
        self.nodes = try NodeSettings(settings, port: self.listening.namingPort)
        self.dataDirectory = settings.text("data-dir") ?? Self.defaultDataDirectory
        self.memoryBudget = try settings.memoryBudget("memory-budget") ?? 256 << 20
        self.planesBudget =
            try settings.part("planes-budget", of: self.memoryBudget, "memory-budget")
            ?? self.memoryBudget / 100 * Self.planesPercentage
        self.diskBudget =
            try settings.byteCount("disk-budget", atLeast: 0) ?? DiskOriginalStore.Configuration().byteBudget
        self.variantDiskBudget =
            try settings.byteCount("variant-disk-budget", atLeast: 0) ?? DiskVariantStore.Configuration().byteBudget
        self.library = try settings.value("library", allowed: LibraryAddress.forms, parse: LibraryAddress.init)
        self.freshness = try FreshnessPolicy(settings)
        self.origins = try Self.origins(settings.texts("origin"))
        self.credentials = try OriginCredentials(settings.texts("origin-header"), sources: Set(self.origins.keys))
        self.credentials.tie(to: self.origins)
        self.codecThreads =
            try settings.number("codec-threads", in: 1...256) ?? ProcessInfo.processInfo.activeProcessorCount
        self.isolation = try settings.choice("isolation") ?? .process
        self.quarantineSeconds = Int64(
            try settings.number("quarantine", in: 0...30 * 86_400) ?? Int(Quarantine.defaultSeconds))
        self.codecQueue = try settings.number("codec-queue", in: 0...100_000) ?? 256
        self.warmQueue = try settings.number("warm-queue", in: 0...1_000_000) ?? Warmer.defaultQueueLimit
        self.ladderAhead = try settings.ladderAhead("ladder-ahead", planesBudget: self.planesBudget)
        self.reencoding = try ReencodingLimits(settings)
        self.adminTokenFile = settings.text("admin-token-file")
        self.caching = try ClientCaching(settings)
        self.publicURL = try settings.value("public-url", allowed: PublicURL.forms, parse: PublicURL.init)
        self.variantsPerPoster =
            try settings.number("max-variants-per-poster", in: 1...100_000) ?? VariantCache.defaultLimitPerPoster
        self.maxConnections = try settings.number("max-connections", in: 1...1_000_000) ?? 4096
        self.connectionsPerAddress = try settings.number("connections-per-address", in: 0...1_000_000) ?? 256
        self.sendMemoryBudget =
            try settings.byteCount("send-memory-budget", atLeast: 1 << 20) ?? SendBudget.defaultLimit
        self.clients = try ClientPolicy(settings)
        self.signUpLimits = try SignUpRateLimiter.Limits(settings)
        self.compresses = try settings.isOn("compression", default: true)
        self.servesWeb = try settings.isOn("web", default: true)
        self.compatibility = try CompatibilitySettings(settings)
        self.deadlines = try ClientDeadlines(settings)
        self.fetch = try FetchConfiguration(settings)
        self.sharedStore = try SharedStoreSettings(settings, fetch: self.fetch)
        self.redis = try RedisSettings(settings)
        self.codecLimits = try CodecLimits(settings)
        self.codecLimits.maxBytes = self.fetch.maxBytes
        // A render above the budget is charged the whole budget and runs alone; otherwise it would wait for ever.
        self.renderMemoryBudget =
            try settings.byteCount("render-memory-budget") ?? max(512 << 20, self.codecLimits.maxWorkingBytes)
        self.earlyDecodeBudget =
            try settings.byteCount("early-decode-budget", atLeast: 0) ?? PosterPipeline.defaultEarlyByteLimit
        self.failureDuration =
            try settings.seconds("failure-memory", in: 0...86_400) ?? PosterPipeline.defaultFailureDuration
        self.effort = try settings.choice("effort") ?? .balanced
        self.pictures = try PictureSettings(settings)
        self.sources = try SourceSettings(settings)
        self.fetch.applySourceRates(self.sources.baseURLs)
        self.warmsLists = try settings.isOn("warm-lists")
        self.logLevel = try settings.choice("log-level") ?? .notice
        self.logFormat = try settings.choice("log-format") ?? .text
        self.accessLog = try settings.accessLog("access-log")
    }

    /// Parses `NAME=https://host/path/{key}.jpg`.
    private static func origins(_ texts: [String]) throws -> [String: OriginTemplate] {
        var origins: [String: OriginTemplate] = [:]
        for text in texts {
            let form = "NAME=https://host/path/{key}.jpg"
            func invalid(_ allowed: String) -> SettingError {
                SettingError(option: "origin", value: text, allowed: allowed)
            }
            guard let equals = text.firstIndex(of: "=") else {
                throw invalid(
                    texts.count > 1 ? "\(form); in the environment, values with commas need a line each" : form)
            }
            let name = String(text[..<equals])
            guard PosterID.isSourceName(name) else {
                throw invalid("\(form), where NAME is lower-case letters, digits and hyphens, at most 32")
            }
            guard !PosterID.reservedSources.contains(name) else {
                throw invalid("any NAME except \(PosterID.reservedSources.sorted().joined(separator: ", "))")
            }
            guard origins[name] == nil else { throw invalid("each NAME once") }
            do {
                origins[name] = try OriginTemplate(String(text[text.index(after: equals)...]))
            } catch {
                throw invalid("\(form); \(error.reason)")
            }
        }
        return origins
    }

    private static var defaultDataDirectory: String {
        let environment = ProcessInfo.processInfo.environment
        // The XDG specification requires that relative paths are ignored.
        if let home = environment["XDG_DATA_HOME"], home.hasPrefix("/") { return home + "/onesheet" }
        return (environment["HOME"] ?? "/var/lib") + "/.local/share/onesheet"
    }
}

extension ServeConfiguration {
    /// Reads the files of signing keys, admin token, certificate, credentials, Redis, client keys and compatible APIs,
    /// as `serve` does at its start.
    package func checkFiles() throws {
        if let fault = self.fileFaults().first { throw fault }
    }

    /// The errors of all files that ``checkFiles()`` reads; empty if each can be used.
    package func fileFaults() -> [any Error] {
        let reads: [() throws -> Void] = [
            { _ = try self.policy() }, { _ = try self.adminToken() }, { _ = try self.tlsCredentials() },
            { _ = try self.sharedStore?.credentials() }, { try self.redis?.checkFiles() },
            { _ = try self.compatibility.resources() },
            { try CompatibilityResources.checkFiles(of: Set(self.compatibility.apis)) },
        ]
        return reads.compactMap { read in
            do {
                try read()
                return nil
            } catch {
                return error
            }
        }
    }

    /// The sources with posters in several languages, and the default language of requests.
    package var posterLanguages: PosterLanguages {
        PosterLanguages(
            sources: self.sources.keys[.tmdb] == nil ? [] : [MovieSource.tmdb.rawValue, PosterID.imdbSource],
            own: self.sources.language.code)
    }

    package func policy() throws -> PicturePolicy {
        do {
            return try self.pictures.policy(effort: self.effort)
        } catch let error as SigningKeys.Failure {
            throw SettingError(
                option: "sign-key-file", value: self.pictures.signKeyFile ?? "",
                allowed: "a file with one signing key a line; \(error)")
        }
    }

    package func adminToken() throws -> AdminToken? {
        guard let path = self.adminTokenFile else { return nil }
        do throws(AdminToken.Failure) {
            return try AdminToken(contentsOf: path)
        } catch {
            throw SettingError(option: "admin-token-file", value: path, allowed: "a file with a token; \(error)")
        }
    }

    package func tlsCredentials() throws -> TLSCredentials? {
        guard let tls = self.listening.tls else { return nil }
        do throws(TLSCredentials.Failure) {
            return try TLSCredentials(certificatePath: tls.certificatePath, keyPath: tls.keyPath)
        } catch {
            throw SettingError(
                option: "tls-cert", value: tls.certificatePath,
                allowed: "a certificate chain in PEM, with its key in --tls-key; \(error)")
        }
    }
}

extension Settings {
    /// The shares of rendering ahead; `nil` for "off".
    /// - Parameter planesBudget: Must be positive: rendering ahead needs decoded planes.
    fileprivate func ladderAhead(_ option: String, planesBudget: Int) throws -> LadderAheadLimits? {
        var allowed = "off, on, or two shares from 1% to 100%, of the codec threads' time and of the variants' memory"
        if planesBudget == 0 { allowed = "off without decoded planes: --planes-budget is 0" }
        return try self.valueOrOff(option, allowed: allowed) { text in
            guard planesBudget > 0 else { return nil }
            if text == "on" { return LadderAheadLimits() }
            let shares = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { part in
                let percent = part.hasSuffix("%") ? ByteCount.number(in: String(part), before: "%") : nil
                return percent.flatMap { (1...100).contains($0) ? Double($0) / 100 : nil }
            }
            guard shares.count == 2, text.count(where: { $0 == "," }) == 1 else { return nil }
            return LadderAheadLimits(cpuShare: shares[0], cacheShare: shares[1])
        } ?? nil
    }
}
