package import CoreMetrics
package import Flights
package import HTTPFetch
import Synchronization

/// A client of one bucket of an S3-compatible store.
///
/// It has a ``Fetcher`` of its own: the bucket's host may have a private address, and nothing else may; redirects are not
/// followed. Requests end at once while ``health`` says that the store fails.
package final class S3Client: Sendable {
    /// Limits of a client.
    package struct Configuration: Sendable {
        package var address: BucketAddress
        package var region: String
        /// How long a reader waits for the first byte, connecting included; half a second by default.
        package var answerTimeout: Duration = .milliseconds(500)
        /// Of everything but the host, connections, times and retries.
        package var fetch = FetchConfiguration()
        package var breaker = BreakerPolicy()

        package init(address: BucketAddress, region: String) {
            self.address = address
            self.region = region
        }

        /// How long all of an object may take to read.
        package var readTimeout: Duration { self.answerTimeout * Self.readTimeoutFactor }

        private static let readTimeoutFactor = 10
        /// Connections to the store, and requests at once and waiting.
        private static let connections = 16
        private static let requests = 64
        private static let waiting = 256

        /// For the client's own fetcher.
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
            // ``StoreHealth`` decides, which counts deadlines too.
            fetch.breaker.threshold = 0
            return fetch
        }
    }

    /// What became of an object that was to be stored.
    package enum PutOutcome: Hashable, Sendable {
        case stored
        /// There is one, and it was to stay.
        case exists
    }

    /// Of a write, and of anything else that no request waits for.
    package static let uploadTimeout = Duration.seconds(60)
    package static let requestTimeout = Duration.seconds(10)
    /// Of connections that fail, and of bodies that break off, which are resumed.
    static let retryLimit = 2
    /// The most of an error's document that is read, in bytes.
    static let documentLimit = 4096
    /// What names of an object's own fields begin with.
    package static let metadataPrefix = "x-amz-meta-"
    /// The object that a probe asks for; there need not be one.
    private static let probeKey = "probe"

    package let configuration: Configuration
    package let health: StoreHealth
    let fetcher: Fetcher
    let metrics: StoreMetrics
    let secondsSince1970: @Sendable () -> Int64
    let now: @Sendable () -> UInt64
    let sleep: @Sendable (Duration) async throws -> Void
    private let credentials: Mutex<S3Credentials>
    /// Whether the store has said that it does not know conditions.
    private let ignoresConditions = Atomic<Bool>(false)

    /// - Parameters:
    ///   - secondsSince1970: The time of day: stores refuse signatures that are 15 minutes off.
    ///   - sleep: Returns after the duration that it is given.
    /// - Throws: ``FetchError/failed(code:_:)`` when libcurl or its thread cannot be started.
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

    /// Signs with other keys from now on.
    package func replaceCredentials(_ credentials: S3Credentials) {
        self.credentials.withLock { $0 = credentials }
    }

    /// Ends what is under way, and the thread.
    package func shutdown() {
        self.fetcher.shutdown()
    }

    /// Streams an object into a sink; what breaks off is requested again from there on.
    /// - Returns: Its head with the fields that begin with ``metadataPrefix``; nil when there is no such object.
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

    /// Stores an object.
    /// - Parameters:
    ///   - digest: The SHA-256 of the bytes, in hexadecimal, which the store compares.
    ///   - metadata: Names without ``metadataPrefix``, and values of printable ASCII without spaces; 2 KiB in all.
    ///   - onlyIfAbsent: Whether one that is there stays; a store that does not support that replaces it.
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
            // Another node has just stored it, or is about to.
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

    /// Deletes an object, if there is one.
    /// - Throws: ``StoreFailure``, `CancellationError`.
    package func delete(_ key: String) async throws {
        let request = SignedRequest(.delete, path: self.configuration.address.path(of: key))
        try await self.send(
            .delete, request, into: BoundedBody(limit: Self.documentLimit), Deadlines(whole: Self.requestTimeout)
        ) { (head, code) -> Void? in
            [200, 202, 204].contains(head.status) || (head.status == 404 && code != "NoSuchBucket") ? () : nil
        }
    }

    /// A page of the list of all objects below the prefix; keys are without it.
    /// - Parameter continuation: Of the page before; nil for the first.
    /// - Throws: ``StoreFailure``, `CancellationError`.
    package func list(after continuation: String? = nil) async throws -> ObjectPage {
        let address = self.configuration.address
        var request = SignedRequest(.get, path: address.basePath)
        request.query = [("list-type", "2"), ("max-keys", "\(ObjectPage.entryLimit)"), ("prefix", address.prefix)]
        if let continuation { request.query.append(("continuation-token", continuation)) }
        let body = BoundedBody(limit: ObjectPage.byteLimit)
        try await self.send(.list, request, into: body, Deadlines(whole: Self.requestTimeout)) { (head, _) -> Void? in
            head.status == 200 ? () : nil
        }
        do throws(XMLReader.Malformed) {
            return try ObjectPage(document: body.bytes).below(address.prefix)
        } catch {
            throw StoreFailure.unintelligible(error.reason)
        }
    }

    /// Asks for an object, to find out whether the store works again.
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
