import Flights
public import HTTPFetch
import Synchronization

/// Asks upstreams over HTTP.
public struct FetchTransport: UpstreamTransport {
    private let fetcher: Fetcher

    /// - Parameter fetcher: Its limits for an upstream's host are the budget of that.
    public init(_ fetcher: Fetcher) {
        self.fetcher = fetcher
    }

    /// Statuses after which the same may be asked again at once; an API that says 429 means it.
    private static let retriedStatuses: Set<Int> = [500, 502, 503, 504]

    /// Asks, as often as the fetcher's retries say; redirects to other origins are not followed.
    public func send(_ call: UpstreamCall) async throws -> UpstreamAnswer {
        let sink = AnswerSink(limit: call.answerBytes)
        let request = FetchRequest(
            url: call.url, method: FetchMethod(call.method),
            body: call.json.map { FetchBody($0, contentType: "application/json;charset=utf-8") },
            keepsErrorBodies: call.answerBytes, headers: [("Accept", "application/json")], credentials: call.headers,
            staysAtOrigin: true, retriedStatuses: call.isCounted ? [] : Self.retriedStatuses,
            urgency: Urgency.current ?? Urgency(.interactive))
        do {
            let response = try await self.fetcher.fetch(request, into: sink)
            return UpstreamAnswer(
                status: response.status, contentType: response.contentType, etag: response.etag,
                cacheControl: response.cacheControl, retryAfter: response.retryAfter, body: sink.takeBytes())
        } catch FetchError.sinkFailed {
            throw UpstreamTransportFailure.tooLarge(limit: call.answerBytes)
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
        case .put: self = .put
        case .delete: self = .delete
        }
    }
}

extension UpstreamTransportFailure {
    /// What it means that a fetch gave no answer; the error's words hold no query.
    init(_ error: FetchError) {
        switch error {
        case .overloaded(let wait): self = .busy(retryAfter: wait)
        case .originPaused(let wait), .circuitOpen(let wait): self = .paused(retryAfter: wait)
        case .timedOut, .tooSlow: self = .tooSlow
        case .tooLarge(let limit): self = .tooLarge(limit: limit)
        case .invalidURL, .forbiddenScheme, .invalidHeader, .addressRefused, .resolutionFailed, .tls, .certificate,
            .connectFailed, .outOfDescriptors:
            self = .notSent(reason: "\(error)")
        case .headTooLarge, .tooManyRedirects, .badRedirect, .truncated, .failed, .sinkFailed,
            .shutDown:
            self = .unreachable(reason: "\(error)")
        }
    }
}

/// An answer's body in memory. Under the lock: its bytes.
private final class AnswerSink: FetchSink {
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
