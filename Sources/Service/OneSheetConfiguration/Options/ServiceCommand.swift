package import ArgumentParser

/// The work and own options of a command that runs the service or a part of it.
package protocol ServiceAction: ParsableArguments {
    associatedtype ServerOptions: ParsableArguments = NoOptions

    /// Includes the command's name: the default name is derived from ``ServiceCommand``.
    static var configuration: CommandConfiguration { get }

    /// - Parameter given: All options on the command line, by name without dashes.
    func run(_ given: [String: [String]]) async throws
}

package struct NoOptions: ParsableArguments {
    package init() {}
}

/// A command with the options of originals, variants and sources of facts.
///
/// One type for all such commands keeps their option groups one level deep. A debug build of ArgumentParser builds all
/// options four times to validate them, and four times as often for each further level: two levels took 0.8 s of each
/// start, one takes 0.3 s.
package struct ServiceCommand<Action: ServiceAction>: AsyncParsableCommand {
    package static var configuration: CommandConfiguration { Action.configuration }

    @OptionGroup
    var action: Action

    @OptionGroup
    var server: Action.ServerOptions

    @Option(
        help: "JSON or YAML file of options, by their names without dashes; at most 1MiB.",
        completion: .file(extensions: ["json", "yaml", "yml"]))
    var config: String?

    @Option(
        help: "Folder for originals and the library. Default: onesheet in the XDG data home", completion: .directory)
    var dataDir: String?

    @Option(
        help: """
            PostgreSQL database of user data, film links and poster decisions, shared by several nodes: \
            postgres://user@host/database?sslmode=verify-full. Default: library.sqlite in the data folder
            """)
    var library: String?

    @Option(
        help: """
            Memory for encoded variants and decoded planes, in bytes or as a part of the allowed memory (25%). \
            Default: 256MiB
            """)
    var memoryBudget: String?

    @Option(
        help: """
            Share of --memory-budget for decoded planes, from which other sizes are rendered without a decode: bytes, \
            or a percentage; 0 for none. Default: 12%
            """)
    var planesBudget: String?

    @Option(help: "Maximum variants of one poster in memory; beyond it, the least used is evicted. Default: 256")
    var maxVariantsPerPoster: String?

    @Option(help: "Disk for originals; the least recently used are deleted first. Default: 10GiB")
    var diskBudget: String?

    @Option(
        help: """
            Disk for variants that took more than 20ms of CPU time to render; variants with the least CPU time per \
            byte are deleted first. 0 stores none. Default: 1GiB
            """)
    var variantDiskBudget: String?

    @Option(
        help: """
            NAME=https://host/path/{key}.jpg, repeatable: the origin of /poster/NAME:key. {+key} allows '/' in keys. \
            Separated by commas in the environment, or one a line.
            """)
    var origin: [String] = []

    @Option(help: "NAME:Header: value, repeatable: sent to the origin of that name only, and never logged.")
    var originHeader: [String] = []

    @Flag(inversion: .prefixedNo, help: "Allow origins at loopback and private addresses. Default: no")
    var allowPrivateOrigins: Bool?

    @Option(help: "Host name or network (10.1.0.0/16, 64:ff9b::/96) allowed although private, repeatable.")
    var allowPrivateOrigin: [String] = []

    @Flag(inversion: .prefixedNo, help: "Use the proxies of http_proxy and similar variables. Default: no")
    var fetchProxyFromEnvironment: Bool?

    @Option(help: "Threads that decode and encode. Default: one per core")
    var codecThreads: String?

    @Option(
        help: """
            process: decode in worker processes, sandboxed as far as the kernel allows; thread: on threads of the \
            service; required: like process, and start only with seccomp and Landlock. Default: process
            """,
        completion: .list(["process", "thread", "required"]))
    var isolation: String?

    @Option(
        help: """
            Seconds for which an original is refused after crashing two workers; 0 refuses none. Default: 86400
            """)
    var quarantine: String?

    @Option(help: "Renders that may wait for a codec thread before new ones get 503. Default: 256")
    var codecQueue: String?

    @Option(help: "Maximum estimated memory of all renders together. Default: 512MiB")
    var renderMemoryBudget: String?

    @Option(
        help:
            "Memory for originals that are decoded while they arrive; 0 decodes after arrival. Default: 64MiB")
    var earlyDecodeBudget: String?

    @Option(help: "Variants that may wait to be rendered in advance. Default: 10000")
    var warmQueue: String?

    @Option(
        help: """
            Render posters in advance at sizes that were recently requested for others, while codec threads are idle: \
            off, on, or the maximum shares of their time and of the variants' memory; on is 25%,10%. Default: off
            """)
    var ladderAhead: String?

    @Option(
        help: """
            Re-encode variants, the most used first, as AVIF or in fewer bytes, while codec threads are idle: off, on, \
            or the maximum share of their time; on is 75%. Default: on
            """)
    var reencode: String?

    @Option(
        help: """
            Requests for a variant, including the first, before it is re-encoded, 1 to 255; 2 spends no CPU time on \
            variants that are requested once. Default: 1
            """)
    var reencodeAfter: String?

    @Option(help: "Variants that may wait to be re-encoded; the least used are dropped. Default: 4096")
    var reencodeQueue: String?

    @Option(help: "Shortest lifetime of an original in seconds, even if its origin sets a shorter one. Default: 3600")
    var originalTtlMin: String?

    @Option(help: "Longest lifetime of an original in seconds. Default: 2592000")
    var originalTtlMax: String?

    @Option(help: "Lifetime in seconds of an original if its origin sets none. Default: 604800")
    var originalTtlDefault: String?

    @Option(help: "Seconds that a stale original is served while its revalidation runs or fails. Default: 2592000")
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

    @Option(help: "Transfers in progress before new ones get 503. Default: 128")
    var fetchMaxTransfers: String?

    @Option(help: "Retries of a fetch. Default: 2")
    var fetchRetries: String?

    @Option(help: "Connections to one origin. Default: 6")
    var originConnections: String?

    @Option(help: "Fetches in progress at one origin. Default: 16")
    var originFetches: String?

    @Option(help: "Fetches that may wait for one origin before new ones get 503. Default: 256")
    var originQueue: String?

    @Option(
        help: """
            Requests a second to one origin (of all nodes with --redis), 0 for any; at most 40 to TMDB, 20 a minute to iTunes. \
            Default: 0
            """)
    var originRate: String?

    @Option(help: "Fetches that fail in a row before an origin's circuit breaker opens. Default: 5")
    var breakerFailures: String?

    @Option(help: "Seconds for which a circuit breaker stays open. Default: 30")
    var breakerTime: String?

    @Option(help: "Seconds for which an original that does not exist or is unusable is not fetched again. Default: 30")
    var failureMemory: String?

    @Option(
        help: "full, balanced or fast: how much of progressive JPEGs may be left out. Default: balanced",
        completion: .list(["full", "balanced", "fast"]))
    var effort: String?

    @OptionGroup(title: "Limits of originals")
    var limits: LimitOptions

    @OptionGroup(title: "Shared originals")
    var sharedStore: SharedStoreOptions

    @OptionGroup(title: "State that nodes share through Redis")
    var redis: RedisOptions

    @OptionGroup(title: "Nodes of a cluster")
    var nodes: NodeOptions

    @OptionGroup(title: "Allowed requests")
    var pictures: PictureOptions

    @OptionGroup(title: "Sources of film data")
    var sources: SourceOptions

    @Option(
        help: "Log level: trace, debug, info, notice, warning, error or critical. Default: notice",
        completion: .list(["trace", "debug", "info", "notice", "warning", "error", "critical"]))
    var logLevel: String?

    @Option(
        help: "Format of the log on standard error: text or json. Default: text", completion: .list(["text", "json"]))
    var logFormat: String?

    package init() {}

    package func run() async throws {
        try await self.action.run(self.given)
    }
}

/// All options of `serve`, in the order of its help; performs no work.
package typealias ServeOptions = ServiceCommand<NoAction>

package struct NoAction: ServiceAction {
    package typealias ServerOptions = HTTPServerOptions

    package static let configuration = CommandConfiguration(commandName: "serve")

    package init() {}

    package func run(_ given: [String: [String]]) {}
}

extension ParsableArguments {
    /// The options given on the command line, by name without dashes, from all groups except the command's own: its
    /// options are not settings, and may have the names of settings.
    ///
    /// Includes only the types that settings are read from: texts, lists of texts, and flags without a default.
    package var given: [String: [String]] {
        var given: [String: [String]] = [:]
        for (label, value) in Mirror(reflecting: self).children {
            let texts: [String]? =
                switch value {
                case let option as Option<String?>: option.wrappedValue.map { [$0] }
                case let option as Option<[String]>: option.wrappedValue
                case let flag as Flag<Bool?>: flag.wrappedValue.map { ["\($0)"] }
                default: nil
                }
            if let group = value as? any NestedArguments { given.merge(group.given) { $1 } }
            if let label, let texts, !texts.isEmpty { given[Self.optionName(of: label)] = texts }
        }
        return given
    }

    /// Converts the label of a wrapper's storage to an option name: `_maxAge` to `max-age`.
    private static func optionName(of label: String) -> String {
        label.dropFirst().reduce(into: "") { $0 += ($1.isUppercase ? "-" : "") + $1.lowercased() }
    }
}

private protocol NestedArguments {
    var given: [String: [String]] { get }
}

extension OptionGroup: NestedArguments {
    fileprivate var given: [String: [String]] { Value.self is any ServiceAction.Type ? [:] : self.wrappedValue.given }
}
