import ArgumentParser

/// All options of `serve`, in the order of its help.
package struct ServeOptions: ParsableArguments {
    @OptionGroup
    var server: HTTPServerOptions

    @OptionGroup
    var service: ServiceOptions

    package init() {}

    /// What was given on the command line, by option name.
    package var given: [String: [String]] {
        self.server.given.merging(self.service.given) { $1 }
    }
}

/// Options about originals, variants and sources of facts: of all commands that run the service or a part of it.
package struct ServiceOptions: ParsableArguments {
    @Option(help: "JSON or YAML file of options, by their names without dashes; at most 1MiB.")
    var config: String?

    @Option(help: "Folder for originals and the library. Default: onesheet in the XDG data home")
    var dataDir: String?

    @Option(
        help:
            "Memory for encoded variants: bytes, or a part such as 25% of what the control group allows. Default: 256MiB"
    )
    var memoryBudget: String?

    @Option(help: "Variants of one poster in memory; beyond it the least used of that poster goes. Default: 256")
    var maxVariantsPerPoster: String?

    @Option(help: "Disk for originals; those not used for longest go first. Default: 10GiB")
    var diskBudget: String?

    @Option(
        name: .customLong("origin"),
        help: """
            NAME=https://host/path/{key}.jpg, repeatable: /poster/NAME:key comes from there. {+key} lets keys hold '/'. \
            In the environment separated by commas, or one a line.
            """)
    var origins: [String] = []

    @Option(
        name: .customLong("origin-header"),
        help: "NAME:Header: value, repeatable: sent to the origin of that name and to no other host, and never logged.")
    var originHeaders: [String] = []

    @Flag(inversion: .prefixedNo, help: "Let origins be at loopback and private addresses. Default: no")
    var allowPrivateOrigins: Bool?

    @Option(
        name: .customLong("allow-private-origin"),
        help:
            "A host name or a network (10.1.0.0/16, 64:ff9b::/96) where origins may be although it is private, repeatable."
    )
    var allowedPrivateOrigins: [String] = []

    @Flag(inversion: .prefixedNo, help: "Use the proxies that http_proxy and its kind name. Default: no")
    var fetchProxyFromEnvironment: Bool?

    @Option(help: "Threads that decode and encode. Default: one per core")
    var codecThreads: String?

    @Option(help: "Renders that may wait for a codec thread before new ones get 503. Default: 256")
    var codecQueue: String?

    @Option(help: "Memory that all renders may need together, by their estimates. Default: 512MiB")
    var renderMemoryBudget: String?

    @Option(help: "Variants that may wait to be made before anybody asks. Default: 10000")
    var warmQueue: String?

    @Option(help: "Seconds that an original is fresh for at least, whatever its origin says. Default: 3600")
    var originalTtlMin: String?

    @Option(help: "Seconds that an original is fresh for at most. Default: 2592000")
    var originalTtlMax: String?

    @Option(help: "Seconds that an original is fresh for when its origin does not say. Default: 604800")
    var originalTtlDefault: String?

    @Option(help: "Seconds that a stale original serves while its origin is asked or fails. Default: 2592000")
    var staleIfError: String?

    @Option(help: "Seconds to connect to an origin, name resolution and TLS included. Default: 5")
    var fetchConnectTimeout: String?

    @Option(help: "Seconds for a whole fetch, waiting, redirects and retries included. Default: 20")
    var fetchTimeout: String?

    @Option(help: "Bytes a second below which a fetch is too slow. Default: 1024")
    var fetchLowSpeed: String?

    @Option(help: "Seconds that a fetch may be too slow. Default: 10")
    var fetchLowSpeedTime: String?

    @Option(help: "Largest original. Default: 32MiB")
    var fetchMaxBytes: String?

    @Option(help: "Redirects that are followed. Default: 3")
    var fetchMaxRedirects: String?

    @Option(help: "Transfers under way at once before new ones get 503. Default: 128")
    var fetchMaxTransfers: String?

    @Option(help: "How often a fetch is tried again. Default: 2")
    var fetchRetries: String?

    @Option(help: "Connections to one origin. Default: 6")
    var originConnections: String?

    @Option(help: "Fetches under way at one origin. Default: 16")
    var originFetches: String?

    @Option(help: "Fetches that may wait for one origin before new ones get 503. Default: 256")
    var originQueue: String?

    @Option(
        help:
            "Requests a second to one origin, 0 for any number; never over 40 to TMDB and 20 a minute to iTunes. Default: 0"
    )
    var originRate: String?

    @Option(help: "Fetches that fail in a row before an origin is left alone. Default: 5")
    var breakerFailures: String?

    @Option(help: "Seconds that it is left alone then. Default: 30")
    var breakerTime: String?

    @Option(
        help: "Seconds that an original that does not exist or is no usable picture is not asked for again. Default: 30"
    )
    var failureMemory: String?

    @Option(help: "full, balanced or fast: how much of progressive JPEGs may be left out. Default: balanced")
    var effort: String?

    @OptionGroup(title: "Limits of originals")
    var limits: LimitOptions

    @OptionGroup(title: "What may be asked for")
    var pictures: PictureOptions

    @OptionGroup(title: "Sources of facts about films")
    var sources: SourceOptions

    @Option(help: "trace, debug, info, notice, warning, error or critical. Default: notice")
    var logLevel: String?

    @Option(help: "text or json: how lines of the log on standard error are written. Default: text")
    var logFormat: String?

    package init() {}

    /// What was given on the command line, by option name.
    package var given: [String: [String]] {
        let single: [(String, String?)] = [
            ("config", self.config), ("data-dir", self.dataDir), ("memory-budget", self.memoryBudget),
            ("max-variants-per-poster", self.maxVariantsPerPoster), ("disk-budget", self.diskBudget),
            ("codec-threads", self.codecThreads), ("codec-queue", self.codecQueue),
            ("render-memory-budget", self.renderMemoryBudget), ("warm-queue", self.warmQueue),
            ("original-ttl-min", self.originalTtlMin), ("original-ttl-max", self.originalTtlMax),
            ("original-ttl-default", self.originalTtlDefault), ("stale-if-error", self.staleIfError),
            ("fetch-connect-timeout", self.fetchConnectTimeout), ("fetch-timeout", self.fetchTimeout),
            ("fetch-low-speed", self.fetchLowSpeed), ("fetch-low-speed-time", self.fetchLowSpeedTime),
            ("fetch-max-bytes", self.fetchMaxBytes), ("fetch-max-redirects", self.fetchMaxRedirects),
            ("fetch-max-transfers", self.fetchMaxTransfers), ("fetch-retries", self.fetchRetries),
            ("origin-connections", self.originConnections), ("origin-fetches", self.originFetches),
            ("origin-queue", self.originQueue), ("origin-rate", self.originRate),
            ("breaker-failures", self.breakerFailures), ("breaker-time", self.breakerTime),
            ("failure-memory", self.failureMemory), ("effort", self.effort), ("log-level", self.logLevel),
            ("log-format", self.logFormat),
        ]
        var given = Dictionary(uniqueKeysWithValues: single.compactMap { name, value in value.map { (name, [$0]) } })
        if !self.origins.isEmpty { given["origin"] = self.origins }
        if !self.originHeaders.isEmpty { given["origin-header"] = self.originHeaders }
        if !self.allowedPrivateOrigins.isEmpty { given["allow-private-origin"] = self.allowedPrivateOrigins }
        given["allow-private-origins"] = self.allowPrivateOrigins.map { ["\($0)"] }
        given["fetch-proxy-from-environment"] = self.fetchProxyFromEnvironment.map { ["\($0)"] }
        return [self.limits.given, self.pictures.given, self.sources.given].reduce(given) { $0.merging($1) { $1 } }
    }
}
