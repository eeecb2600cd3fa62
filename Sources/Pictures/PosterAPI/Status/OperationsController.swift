import HTTPSemantics
package import HTTPServer
import HTTPTypes
package import Hummingbird
import NIOCore
import PosterPipeline

/// `GET /healthz`, `GET /readyz` and `GET /metrics`: answered from counters, without waiting for any queue, so that
/// they are answered under full load too.
package struct OperationsController: Sendable {
    let status: @Sendable () -> ServiceStatus
    let metrics: MetricsPage

    package init(status: @escaping @Sendable () -> ServiceStatus, metrics: MetricsPage) {
        self.status = status
        self.metrics = metrics
    }

    package func register(on router: Router<ServerRequestContext>) {
        router.get(RouterPath(OperationsPaths.health), use: self.health)
        router.get(RouterPath(OperationsPaths.readiness), use: self.readiness)
        router.get(RouterPath(OperationsPaths.metrics), use: self.page)
    }

    /// Liveness, for supervisors: always 200.
    @Sendable
    private func health(_ request: Request, context: ServerRequestContext) async throws -> Response {
        .unstored(Array(#"{"status":"ok"}"#.utf8))
    }

    /// Readiness, for load balancers: 200, or 503 with the reasons.
    @Sendable
    private func readiness(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let readiness = Readiness(self.status())
        return .unstored(
            try EncodedResponse.jsonBytes(of: readiness), status: readiness.isReady ? .ok : .serviceUnavailable)
    }

    @Sendable
    private func page(_ request: Request, context: ServerRequestContext) async throws -> Response {
        .unstored(Array(self.metrics.text(self.status()).utf8), type: "text/plain; version=0.0.4; charset=utf-8")
    }
}

/// Whether the service should receive requests, and why not.
///
/// An open circuit breaker of an origin is shown but is not a reason: cached posters and other origins' posters are
/// still served, and another node would meet the same origin without this one's cache.
package struct Readiness: Encodable {
    enum Reason: String, Encodable {
        case stopping = "shutting-down"
        case disk = "disk-not-writable"
        case libraryReading = "library-not-readable"
        case libraryWriting = "library-not-writable"
        case queue = "codec-queue-full"
        case catchingUp = "catching-up"
        case cutOff = "cut-off"
        case redis = "redis-not-available"
        case objectStore = "object-store-not-available"
        case events = "events-not-exchanged"
        case library = "library-fault"
    }

    /// All values of ``warnings``.
    package static let warningNames = [
        Reason.libraryReading, .libraryWriting, .library, .redis, .objectStore, .events,
    ].map(\.rawValue)

    /// The public part of an origin's status.
    struct Origin: Encodable {
        let name: String
        let breaker: String
        let retryAfter: Int?
        let underWay: Int
        let waiting: Int
    }

    /// Re-encoding of variants: the queue, and the results since the start.
    struct Reencoding: Encodable {
        let waiting: Int
        let running: Int
        let replaced: Int
        let declined: Int
        let savedBytes: Int

        init(_ status: ReencodingStatus) {
            (self.waiting, self.running) = (status.waiting, status.running)
            self.replaced = status.formats.reduce(0) { $0 + $1.count }
            self.declined = status.formats.reduce(0) { $0 + $1.declined }
            self.savedBytes = status.formats.reduce(0) { $0 + $1.savedBytes }
        }
    }

    /// `ready` or `unready`.
    let status: String
    /// Empty while the service is ready.
    let reasons: [Reason]
    /// Engines that do not work although the service is ready: another node would lack them too.
    let warnings: [Reason]
    /// Lasting faults of engines: since when, and the latest error.
    let faults: [ServiceStatus.Fault]
    let origins: [Origin]
    let disk: ServiceStatus.Disk
    let variantDisk: ServiceStatus.VariantDisk
    let library: ServiceStatus.Library?
    let queues: [ServiceStatus.Queue]
    let reencoding: Reencoding?
    /// The store of originals that nodes share; `nil` without one. Its failure is no reason: originals then come from
    /// disk and origins.
    let objectStore: ServiceStatus.ObjectStore?
    /// The events of other nodes; `nil` without Redis.
    let events: ServiceStatus.Events?
    /// The Redis server that nodes share; `nil` without one. Its failure is no reason: each node then works by itself.
    let redis: ServiceStatus.Redis?
    let isolation: ServiceStatus.Isolation
    /// Movie sources; the embedded catalogue replaces disabled ones as far as it can.
    let sources: [ServiceStatus.Source]

    /// The name of the queue that makes the service unready when it is full.
    private static let codecQueue = "codec"

    package init(_ status: ServiceStatus) {
        var reasons: [Reason] = []
        if status.isStopping { reasons.append(.stopping) }
        if !status.disk.isWritable { reasons.append(.disk) }
        var faults: [Reason] = []
        if status.library?.isReadable == false { faults.append(.libraryReading) }
        if status.library?.isWritable == false { faults.append(.libraryWriting) }
        let isShared = status.library?.server != nil
        if !isShared { reasons += faults }
        if status.queues.contains(where: { $0.name == Self.codecQueue && $0.isFull }) { reasons.append(.queue) }
        if status.events?.holdsRequests == true { reasons.append(.catchingUp) }
        if status.events?.refusesRequests == true { reasons.append(.cutOff) }
        self.status = reasons.isEmpty ? "ready" : "unready"
        self.reasons = reasons
        var warnings = isShared ? faults : []
        for fault in status.faults {
            switch fault.engine {
            case .redis: warnings.append(.redis)
            case .objectStore: warnings.append(.objectStore)
            case .events: warnings.append(.events)
            case .library: if faults.isEmpty { warnings.append(.library) }
            }
        }
        self.warnings = warnings
        self.faults = status.faults
        self.origins = status.origins.map {
            Origin(
                name: $0.name, breaker: $0.breaker, retryAfter: $0.retryAfter, underWay: $0.underWay,
                waiting: $0.waiting)
        }
        self.disk = status.disk
        self.variantDisk = status.variantDisk
        self.library = status.library
        self.queues = status.queues
        self.reencoding = status.pipeline.reencoding.map(Reencoding.init)
        self.objectStore = status.objectStore
        self.events = status.events
        self.redis = status.redis
        self.isolation = status.isolation
        self.sources = status.sources
    }

    package var isReady: Bool { self.reasons.isEmpty }

    package var reasonNames: [String] { self.reasons.map(\.rawValue) }
}
