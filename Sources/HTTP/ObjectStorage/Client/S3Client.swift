package import CoreMetrics
package import Flights
package import HTTPFetch
import Synchronization

/// A client of one bucket of an S3-compatible store.
///
/// Uses a ``Fetcher`` of its own: only the bucket's host may have a private address, and redirects are not followed.
/// Requests fail immediately while ``health`` reports an outage.
package final class S3Client: Sendable {
    package struct Configuration: Sendable {
        package var address: BucketAddress
        package var region: String
        /// Timeout of the first byte of an urgent read, connecting included; half a second by default.
        package var answerTimeout: Duration = .milliseconds(500)
        /// Limits of the fetcher, except for hosts, connections, timeouts and retries.
        package var fetch = FetchConfiguration()
        package var breaker = BreakerPolicy()

        package init(address: BucketAddress, region: String) {
            self.address = address
            self.region = region
        }

        /// Timeout of a whole urgent read: ten times ``answerTimeout``.
        package var readTimeout: Duration { self.answerTimeout * Self.readTimeoutFactor }

        private static let readTimeoutFactor = 10
        /// Maximum numbers of connections, of concurrent requests and of waiting requests.
        private static let connections = 16
        private static let requests = 64
        private static let waiting = 256

        var ownFetch: FetchConfiguration {
            var fetch = self.fetch
            fetch.allowPrivateAddresses = false
            fetch.allowedPrivateNetworks = []
            fetch.allowedPrivateHosts = [self.address.hostName]
            fetch.maxRedirects = 0
            fetch.connectTimeout = min(fetch.connectTimeout, S3Client.requestTimeout)
            fetch.totalTimeout = S3Client.uploadTimeout
            fetch.retry.maxRetries = S3Client.retryLimit
            fetch.retry.baseDelay = .milliseconds(50)
            fetch.retry.maxPause = self.breaker.duration
            fetch.originLimitsByHost = [:]
            fetch.originLimits = OriginLimits()
            fetch.originLimits.maxConnections = Self.connections
            fetch.originLimits.maxFetches = Self.requests
            fetch.originLimits.maxWaiting = Self.waiting
            // ``StoreHealth`` is the circuit breaker; it counts timeouts too.
            fetch.breaker.threshold = 0
            return fetch
        }
    }

    package enum PutOutcome: Hashable, Sendable {
        case stored
        /// The object exists and was not replaced.
        case exists
    }

    /// Timeout of uploads and of reads that are not urgent.
    package static let uploadTimeout = Duration.seconds(60)
    package static let requestTimeout = Duration.seconds(10)
    /// Retries of failed connections, and resumptions of interrupted bodies.
    static let retryLimit = 2
    /// Maximum number of bytes read from an error's document.
    static let documentLimit = 4096
    /// The prefix of the fields with an object's metadata.
    package static let metadataPrefix = "x-amz-meta-"
    /// Key of the object that probes request; it need not exist.
    private static let probeKey = "probe"

    package let configuration: Configuration
    package let health: StoreHealth
    let fetcher: Fetcher
    let metrics: StoreMetrics
    let secondsSince1970: @Sendable () -> Int64
    let now: @Sendable () -> UInt64
    let sleep: @Sendable (Duration) async throws -> Void
    private let credentials: Mutex<S3Credentials>
    /// Whether the store has replied that it does not support conditional writes.
    private let ignoresConditions = Atomic<Bool>(false)

    /// - Parameters:
    ///   - secondsSince1970: Wall-clock time: stores reject signatures that are 15 minutes off.
    ///   - sleep: Suspends for a duration; used for timeouts.
    /// - Throws: ``FetchError/failed(code:_:)`` if libcurl or its thread cannot be started.
    package init(
        _ configuration: Configuration, credentials: S3Credentials,
        secondsSince1970: @escaping @Sendable () -> Int64 = AnchoredClock.wallSeconds,
        now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        metrics: any MetricsFactory = MetricsSystem.factory
    ) throws(FetchError) {
        self.configuration = configuration
        self.health = StoreHealth(configuration.breaker, now: now)
        self.fetcher = try Fetcher(configuration: configuration.ownFetch)
        self.credentials = Mutex(credentials)
        self.metrics = StoreMetrics(metrics)
        self.secondsSince1970 = secondsSince1970
        self.now = now
        self.sleep = sleep
    }

    var currentCredentials: S3Credentials { self.credentials.withLock { $0 } }

    package func replaceCredentials(_ credentials: S3Credentials) {
        self.credentials.withLock { $0 = credentials }
    }

    /// Cancels requests in flight and stops the fetcher's thread.
    package func shutdown() {
        self.fetcher.shutdown()
    }

    /// Streams an object into a sink; an interrupted body is resumed where it ended.
    /// - Parameter isUrgent: Whether ``Configuration/answerTimeout`` and ``Configuration/readTimeout`` apply instead of
    ///   ``uploadTimeout``.
    /// - Returns: The head, with the fields that begin with ``metadataPrefix``; `nil` if there is no such object.
    /// - Throws: ``StoreFailure``, `CancellationError`.
    package func get(
        _ key: String, into sink: any FetchSink, urgency: Urgency = Urgency(.interactive), isUrgent: Bool = true
    ) async throws -> FetchResponseHead? {
        let request = SignedRequest(.get, path: self.configuration.address.path(of: key))
        let deadlines = isUrgent ? self.configuration.readDeadlines : Deadlines(whole: Self.uploadTimeout)
        return try await self.send(
            .get, request, into: sink, deadlines, urgency: urgency
        ) { (head, code) -> FetchResponseHead?? in
            switch (head.status, code) {
            case (200, _): head
            case (404, "NoSuchKey"), (404, ""): .some(nil)
            default: nil
            }
        }
    }

    /// - Parameters:
    ///   - digest: SHA-256 of the bytes, in hexadecimal, which the store verifies.
    ///   - metadata: Names without ``metadataPrefix``, and values of printable ASCII without spaces; 2 KiB in all.
    ///   - onlyIfAbsent: Whether to keep an existing object; a store without conditional writes replaces it
    ///     nevertheless.
    /// - Throws: ``StoreFailure``, `CancellationError`.
    package func put(
        _ key: String, _ bytes: [UInt8], digest: String, contentType: String,
        metadata: [(name: String, value: String)], onlyIfAbsent: Bool
    ) async throws -> PutOutcome {
        var request = SignedRequest(.put, path: self.configuration.address.path(of: key))
        request.body = FetchBody(bytes, contentType: contentType)
        request.contentDigest = digest
        request.headers = metadata.map { (Self.metadataPrefix + $0.name, $0.value) }
        let hasCondition = onlyIfAbsent && !self.ignoresConditions.load(ordering: .relaxed)
        if hasCondition { request.headers.append(("If-None-Match", "*")) }
        let outcome = try await self.send(
            .put, request, into: BoundedBody(limit: Self.documentLimit), Deadlines(whole: Self.uploadTimeout)
        ) { (head, _) -> PutOutcome?? in
            switch head.status {
            case 200, 201, 204: .some(.stored)
            // Another node has just stored it, or is storing it.
            case 412 where hasCondition, 409 where hasCondition: .some(.exists)
            case 501 where hasCondition: .some(nil)
            default: nil
            }
        }
        if let outcome { return outcome }
        self.ignoresConditions.store(true, ordering: .relaxed)
        return try await self.put(
            key, bytes, digest: digest, contentType: contentType, metadata: metadata, onlyIfAbsent: false)
    }

    /// Deletes an object if it exists.
    /// - Throws: ``StoreFailure``, `CancellationError`.
    package func delete(_ key: String) async throws {
        let request = SignedRequest(.delete, path: self.configuration.address.path(of: key))
        try await self.send(
            .delete, request, into: BoundedBody(limit: Self.documentLimit), Deadlines(whole: Self.requestTimeout)
        ) { (head, code) -> Void? in
            [200, 202, 204].contains(head.status) || (head.status == 404 && code != "NoSuchBucket") ? () : nil
        }
    }

    /// Returns a page of the list of all objects below the address's prefix; keys are without it.
    /// - Parameter continuation: The previous page's token; `nil` for the first page.
    /// - Throws: ``StoreFailure``, `CancellationError`.
    package func list(after continuation: String? = nil) async throws -> BucketPage {
        let address = self.configuration.address
        var request = SignedRequest(.get, path: address.basePath)
        request.query = [("list-type", "2"), ("max-keys", "\(BucketPage.entryLimit)"), ("prefix", address.prefix)]
        if let continuation { request.query.append(("continuation-token", continuation)) }
        let body = BoundedBody(limit: BucketPage.byteLimit)
        try await self.send(.list, request, into: body, Deadlines(whole: Self.requestTimeout)) { (head, _) -> Void? in
            head.status == 200 ? () : nil
        }
        do throws(XMLReader.Malformed) {
            return try BucketPage(document: body.bytes).below(address.prefix)
        } catch {
            throw StoreFailure.unintelligible(error.reason)
        }
    }

    /// Requests an object to find out whether the store has recovered.
    /// - Throws: ``StoreFailure``, `CancellationError`.
    package func probe() async throws {
        let request = SignedRequest(.get, path: self.configuration.address.path(of: Self.probeKey))
        try await self.send(
            .probe, request, into: BoundedBody(limit: 0), self.configuration.readDeadlines, isProbe: true
        ) { (head, code) -> Void? in
            head.status == 200 || (head.status == 404 && code != "NoSuchBucket") ? () : nil
        }
    }
}
