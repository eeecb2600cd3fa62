import Flights
import HTTPFetch
import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieWeb
import OneSheetConfiguration
import PosterAPI
import PosterOrigins
import PosterPipeline
import Synchronization
import UpstreamClient

/// The operator's page on this node: its status, and the commands of the control socket.
struct ServiceAdministration: SiteAdministration {
    private let dependencies: ServerDependencies
    private let policies: ReloadablePicturePolicy
    private let name: String
    private let status: @Sendable () -> ServiceStatus
    private let log: RecentLog
    /// In seconds since 1970.
    private let startedAt: Int64

    /// - Parameter name: The node's name.
    init(
        dependencies: ServerDependencies, policies: ReloadablePicturePolicy, name: String,
        status: @escaping @Sendable () -> ServiceStatus, log: RecentLog
    ) {
        self.dependencies = dependencies
        self.policies = policies
        self.name = name
        self.status = status
        self.log = log
        self.startedAt = dependencies.clock()
    }

    func report() async throws -> AdminReport {
        let (status, now) = (self.status(), self.dependencies.clock())
        let pipeline = status.pipeline
        var report = AdminReport()
        report.node = "\(self.name), OneSheet \(ProductVersion.current)"
        report.startedSecondsAgo = now - self.startedAt
        report.reasons = Readiness(status).reasonNames
        report.hits = pipeline.hits + pipeline.staleHits
        report.requests = report.hits + pipeline.misses
        report.renders = pipeline.renders
        report.warming = status.warming
        report.variants = AdminReport.Store(
            count: pipeline.variantCount, bytes: pipeline.variantBytes, byteBudget: pipeline.variantByteBudget)
        report.variantsOnDisk = AdminReport.Store(
            count: status.variantDisk.variants, bytes: status.variantDisk.bytes,
            byteBudget: status.variantDisk.byteBudget)
        report.originals = AdminReport.Store(
            count: status.disk.originals, bytes: status.disk.bytes, byteBudget: status.disk.byteBudget)
        report.sources = Self.sources(status.sources, try await self.dependencies.movies.usage())
        report.origins = self.origins
        let limit = AdminReport.rowLimit
        report.quarantineCount = status.isolation.quarantined
        report.quarantine = self.dependencies.quarantined(limit: limit).map {
            AdminReport.Event("\($0.digest)", detail: "\($0.reason), refused for \(max(0, $0.until - now)) s more")
        }
        report.faults = status.faults.map {
            AdminReport.Event($0.engine.rawValue, detail: $0.cause, secondsAgo: now - $0.since)
        }
        report.errors = self.log.entries.prefix(limit).map {
            AdminReport.Event("\($0.level): \($0.message)", detail: $0.detail, secondsAgo: now - $0.time)
        }
        return report
    }

    private static func sources(_ sources: [ServiceStatus.Source], _ usage: [UpstreamUsage]) -> [AdminReport.Source] {
        sources.map { source in
            let kind = MovieSource(rawValue: source.name)
            let use = usage.first { $0.source == kind }
            return AdminReport.Source(
                name: kind?.name ?? source.name, option: source.option, requests: use?.requests, limit: use?.limit,
                isKeyRefused: use?.isKeyRefused ?? false, pauseSeconds: use?.pauseSeconds)
        }
    }

    /// The slowest origins; of equally slow ones those with the most failures first.
    private var origins: [AdminReport.Origin] {
        self.dependencies.fetcher.origins.sorted {
            ($0.meanTransferTime ?? .zero, $0.totals.failures) > ($1.meanTransferTime ?? .zero, $1.totals.failures)
        }.prefix(AdminReport.rowLimit).map { origin in
            AdminReport.Origin(
                name: origin.name, milliseconds: origin.meanTransferTime.map { Int($0.nanoseconds / 1_000_000) },
                attempts: origin.totals.attempts, failures: origin.totals.failures,
                waiting: origin.fetches.waitingCount, trouble: Self.trouble(of: origin))
        }
    }

    private static func trouble(of origin: OriginState) -> String? {
        var words: [String] = []
        switch origin.breaker {
        case .open: words.append("circuit breaker open")
        case .halfOpen: words.append("circuit breaker half-open")
        case .closed: break
        }
        if origin.pause != nil { words.append("paused by Retry-After") }
        if let failure = origin.lastFailure { words.append("last failure: \(failure)") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    // MARK: Changes

    func purge(_ ids: [String]) async throws -> String {
        // Refused as a whole, as by the resource for programs.
        let ids = try PurgeRequest(ids: ids).posters().map(\.description)
        let outcome = Mutex("")
        // Not cancelled when the client disconnects, so that no purge is left half done.
        let handler = ControlHandler(dependencies: self.dependencies, policies: self.policies)
        try await Task {
            try await handler.handle(.purge(ids: ids)) { event in
                if case .finished(_, let text) = event { outcome.withLock { $0 = text } }
            }
        }.value
        return outcome.withLock(\.self)
    }

    func warm(_ ids: [String], widths: [Int]) async throws -> String {
        let widths = widths.isEmpty ? [self.policies.policy.usualWidth] : widths
        let acceptance = self.dependencies.warmer.submit(
            try WarmRequest(ids: ids, widths: widths).requests(self.policies))
        return "\(acceptance.queued) queued, \(acceptance.cached) already present, \(acceptance.refused) refused"
    }
}
