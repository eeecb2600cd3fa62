import Flights
package import HTTPFetch
import Synchronization

/// Sends requests to upstreams over HTTP.
package struct FetchTransport: UpstreamTransport {
    private let fetcher: Fetcher

    /// - Parameter fetcher: Limits the rate of requests per host.
    package init(_ fetcher: Fetcher) {
        self.fetcher = fetcher
    }

    /// Statuses that are retried at once; not 429.
    private static let retriedStatuses: Set<Int> = [500, 502, 503, 504]

    /// Sends a request with the fetcher's retries; does not follow redirects to other origins.
    package func send(_ request: AuthenticatedRequest) async throws -> UpstreamResponse {
        let sink = ResponseSink(limit: request.responseBytes)
        let fetch = FetchRequest(
            url: request.url, method: FetchMethod(request.method),
            body: request.json.map { FetchBody($0, contentType: "application/json;charset=utf-8") },
            errorBodyLimit: request.responseBytes, headers: [("Accept", "application/json")],
            credentials: request.headers,
            staysAtOrigin: true, retriedStatuses: request.isCounted ? [] : Self.retriedStatuses,
            urgency: Urgency.current ?? Urgency(.interactive))
        do {
            let response = try await self.fetcher.fetch(fetch, into: sink)
            return UpstreamResponse(
                status: response.status, contentType: response.contentType, etag: response.etag,
                cacheControl: response.cacheControl, retryAfter: response.retryAfter, body: sink.takeBytes())
        } catch FetchError.sinkFailed {
            throw UpstreamTransportFailure.tooLarge(limit: request.responseBytes)
        } catch let error as FetchError {
            throw UpstreamTransportFailure(error)
        }
    }
}

extension FetchMethod {
    fileprivate init(_ method: UpstreamRequest.Method) {
        switch method {
        case .get: self = .get
        case .post: self = .post
        case .delete: self = .delete
        }
    }
}

extension UpstreamTransportFailure {
    /// Converts a fetch's error. The reason contains no query.
    init(_ error: FetchError) {
        switch error {
        case .overloaded(let wait): self = .busy(retryAfter: wait)
        case .originPaused(let wait), .circuitOpen(let wait): self = .paused(retryAfter: wait)
        case .timedOut, .tooSlow: self = .tooSlow
        case .tooLarge(let limit): self = .tooLarge(limit: limit)
        case .badCoding(let words): self = .unreadable(reason: words)
        case .invalidURL, .forbiddenScheme, .invalidHeader, .addressRefused, .resolutionFailed, .tls, .certificate,
            .connectFailed, .outOfDescriptors:
            self = .notSent(reason: "\(error)")
        case .headTooLarge, .tooManyRedirects, .badRedirect, .truncated, .failed, .sinkFailed,
            .shutDown:
            self = .unreachable(reason: "\(error)")
        }
    }
}

/// Collects a response body in memory. The lock guards its bytes.
private final class ResponseSink: FetchSink {
    private let limit: Int
    private let bytes = Mutex<[UInt8]>([])

    init(limit: Int) {
        self.limit = limit
    }

    func begin(_ head: FetchResponseHead) -> Bool {
        self.bytes.withLock { $0 = [] }
        return (head.contentLength ?? 0) <= self.limit
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        self.bytes.withLock { all in
            guard bytes.count <= self.limit - all.count else { return false }
            all += bytes
            return true
        }
    }

    func takeBytes() -> [UInt8] {
        self.bytes.withLock { all in
            defer { all = [] }
            return all
        }
    }
}
