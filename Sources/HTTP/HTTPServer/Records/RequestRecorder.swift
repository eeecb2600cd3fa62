package import CoreMetrics
package import NIOCore
import Synchronization

/// Counts and logs each request once, on the fast and the slow path. Thread-safe and non-blocking.
///
/// Series are bounded: routes are the router's templates, methods are ``methods``, statuses have three digits. The lock
/// guards the table of series; hits on an event loop take none.
package final class RequestRecorder: Sendable {
    /// Values of the label `method`; all others are `other`.
    package static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]
    /// Maximum number of values of the label `route`; further ones are `other`.
    package static let routeLimit = 64

    private struct Key: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private struct Series: Sendable {
        let requests: Counter
        let duration: Timer
        let bytes: Counter
    }

    private struct State {
        var routes: Set<String> = []
        var series: [Key: Series] = [:]
    }

    private let metrics: any MetricsFactory
    private let state = Mutex(State())
    /// Series of hits, by ``hitIndex(_:)``.
    private let hits: [Series]
    private let hitRoutes: [String]
    private let inFlight: Meter
    private let refusals: Counter
    private let accessLog: AccessLog?
    private let whenRecorded: (@Sendable (RequestRecord) -> Void)?

    /// - Parameters:
    ///   - hitRoutes: Templates of the routes that are handled on event loops: their series need no lock.
    ///   - accessLog: Receives a line for each request; `nil` disables it.
    ///   - whenRecorded: Called for each request, on any thread; must not block.
    package init(
        metrics: any MetricsFactory = MetricsSystem.factory, hitRoutes: [String] = [], accessLog: AccessLog? = nil,
        whenRecorded: (@Sendable (RequestRecord) -> Void)? = nil
    ) {
        self.metrics = metrics
        self.accessLog = accessLog
        self.whenRecorded = whenRecorded
        self.hitRoutes = hitRoutes
        self.hits = Self.hitKeys(of: hitRoutes).map { Self.series($0, metrics) }
        self.inFlight = Meter(label: "onesheet.http.requests.in_flight", factory: metrics)
        self.refusals = Counter(label: "onesheet.http.refusals", factory: metrics)
    }

    /// Whether clients and request ids are logged, which are costly to determine on an event loop.
    package var wantsNames: Bool { self.accessLog != nil }

    /// Counts a request in flight; ``end(_:)`` is its counterpart.
    func begin() {
        self.inFlight.increment()
    }

    /// Records a request of any route: its response has been written, or its client has left.
    func end(_ record: RequestRecord) {
        self.inFlight.decrement()
        self.record(record)
    }

    package func record(_ record: RequestRecord) {
        let series = self.series(of: record)
        series.requests.increment()
        series.duration.recordNanoseconds(record.duration.nanoseconds)
        if record.bodyLength > 0 { series.bytes.increment(by: record.bodyLength) }
        self.accessLog?.write(record)
        self.whenRecorded?(record)
    }

    /// Records an unreadable request that was rejected before a route received it.
    func recordRefusal(_ record: RequestRecord) {
        self.refusals.increment()
        self.record(record)
    }

    // MARK: Series

    private static func hitKeys(of routes: [String]) -> [Key] {
        routes.flatMap { route in
            ["GET", "HEAD"].flatMap { method in
                [200, 304].map { Key(route: route, method: method, status: $0) }
            }
        }
    }

    /// - Returns: `nil` if the request is not a hit. Takes a few comparisons, mostly of addresses.
    func hitIndex(_ record: RequestRecord) -> Int? {
        guard record.way == .eventLoop, let route = self.hitRoutes.firstIndex(of: record.route) else {
            return nil
        }
        switch (record.method, record.status) {
        case ("GET", 200): return 4 * route
        case ("GET", 304): return 4 * route + 1
        case ("HEAD", 200): return 4 * route + 2
        case ("HEAD", 304): return 4 * route + 3
        default: return nil
        }
    }

    private func series(of record: RequestRecord) -> Series {
        if let index = self.hitIndex(record) { return self.hits[index] }
        let method = Self.methods.contains(record.method) ? record.method : RequestRecord.noRoute
        let status = (100...599).contains(record.status) ? record.status : 0
        let (key, known) = self.state.withLock { state -> (Key, Series?) in
            var route = record.route
            if !state.routes.contains(route) {
                if state.routes.count < Self.routeLimit {
                    state.routes.insert(route)
                } else {
                    route = RequestRecord.noRoute
                }
            }
            let key = Key(route: route, method: method, status: status)
            return (key, state.series[key])
        }
        if let known { return known }
        // Two that are created concurrently share their handlers.
        let made = Self.series(key, self.metrics)
        self.state.withLock { $0.series[key] = made }
        return made
    }

    private static func series(_ key: Key, _ metrics: any MetricsFactory) -> Series {
        let dimensions = [
            ("route", key.route), ("method", key.method), ("status", key.status == 0 ? "other" : "\(key.status)"),
        ]
        return Series(
            requests: Counter(label: "onesheet.http.requests", dimensions: dimensions, factory: metrics),
            duration: Timer(label: "onesheet.http.request.duration", dimensions: dimensions, factory: metrics),
            bytes: Counter(
                label: "onesheet.http.response.bytes", dimensions: [("route", key.route)], factory: metrics))
    }
}

/// The data about a request for metrics and the access log, complete when its response has been written; the same on
/// both paths.
package struct RequestRecord: Sendable {
    package enum Way: String, Hashable, Sendable {
        /// On the connection's event loop, from memory.
        case eventLoop = "event-loop"
        case route
    }

    /// Template of the resource with the most requests.
    package static let posterRoute = "/poster/{id}"
    /// The route of requests without a matching route.
    package static let noRoute = "other"
    /// The status of a request with a client that left before the response; never sent.
    package static let abandonedStatus = 499

    package var method: String
    /// Path and query as received.
    package var target: String
    /// The route's template, such as `/poster/{id}`.
    package var route: String
    package var status: Int
    /// Length of the response's body as sent, in bytes.
    package var bodyLength: Int
    /// Time from the request's head until the end of the response is passed to the channel; excludes the transfer of
    /// buffered bytes to the client.
    package var duration: TimeAmount
    package var way: Way
    /// `nil` if it is not logged.
    package var client: ClientAddress?
    /// The response's `Cache-Status`; `nil` if it has none.
    package var cacheStatus: String?
    /// `nil` if it is not logged.
    package var requestID: String?

    package init(
        method: String, target: String, route: String, status: Int, bodyLength: Int, duration: TimeAmount, way: Way
    ) {
        self.method = method
        self.target = target
        self.route = route
        self.status = status
        self.bodyLength = bodyLength
        self.duration = duration
        self.way = way
    }
}
