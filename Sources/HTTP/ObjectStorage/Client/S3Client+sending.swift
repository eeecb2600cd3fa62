import Flights
import HTTPFetch
import Tracing

struct Deadlines {
    /// Time until the response's head; `nil` if only ``whole`` applies.
    var answer: Duration?
    var whole: Duration
}

extension S3Client.Configuration {
    var readDeadlines: Deadlines { Deadlines(answer: self.answerTimeout, whole: self.readTimeout) }
}

/// A request to be signed.
struct SignedRequest {
    let method: FetchMethod
    /// The percent-encoded path.
    let path: String
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body: FetchBody?
    var contentDigest = RequestSignature.emptyDigest

    init(_ method: FetchMethod, path: String) {
        self.method = method
        self.path = path
    }

    /// Returns the request with its `Authorization` field.
    /// - Parameter errorBodyLimit: Maximum number of bytes read from an error's document.
    func signed(
        _ credentials: S3Credentials, for configuration: S3Client.Configuration, at time: SigningTime,
        errorBodyLimit: Int, urgency: Urgency
    ) -> FetchRequest {
        let address = configuration.address
        var own = [("x-amz-content-sha256", self.contentDigest), ("x-amz-date", time.text)]
        if let token = credentials.sessionToken { own.append(("x-amz-security-token", token)) }
        var signed = self.headers + own + [("host", address.host)]
        if let body { signed.append(("content-type", body.contentType)) }
        let signature = RequestSignature(credentials: credentials, region: configuration.region)
        let authorization = signature.authorization(
            of: RequestSignature.Request(
                method: self.method.rawValue, path: self.path, query: self.query, headers: signed,
                contentDigest: self.contentDigest), at: time)
        let query = self.query.isEmpty ? "" : "?" + RequestSignature.canonicalQuery(self.query)
        return FetchRequest(
            url: address.origin + self.path + query, method: self.method, body: self.body,
            errorBodyLimit: errorBodyLimit, headers: self.headers,
            credentials: own + [("Authorization", authorization)], staysAtOrigin: true, retriedStatuses: [],
            keptFieldPrefix: S3Client.metadataPrefix, urgency: urgency)
    }
}

extension S3Client {
    /// Sends a request, unless the store's circuit breaker is open, and records its outcome.
    /// - Parameters:
    ///   - isProbe: Whether the request may be sent after failures, to find out whether the store has recovered.
    ///   - accept: Maps the response's head, and the code of an error, to the result; returns `nil` for a failure.
    /// - Throws: ``StoreFailure``, `CancellationError`.
    @discardableResult
    func send<Value>(
        _ operation: StoreOperation, _ request: SignedRequest, into sink: any FetchSink, _ deadlines: Deadlines,
        urgency: Urgency = Urgency(.revalidation), isProbe: Bool = false,
        accept: (FetchResponseHead, String) -> Value?
    ) async throws -> Value {
        guard let ticket = self.health.admit(isProbe: isProbe) else { throw StoreFailure.suspended }
        let start = self.now()
        func end(_ failure: StoreFailure?, _ outcome: CircuitBreaker.Outcome) {
            self.health.record(outcome, of: ticket)
            self.metrics.record(operation, failure, nanoseconds: self.now() - start)
        }
        do {
            let value = try await withSpan("object store", ofKind: .client) { span in
                if span.isRecording {
                    span.attributes["server.address"] = self.configuration.address.origin
                    span.attributes["aws.s3.bucket"] = self.configuration.address.bucket
                    span.attributes["rpc.method"] = operation.rawValue
                }
                let (head, code) = try await self.exchange(request, into: sink, deadlines, urgency: urgency)
                if span.isRecording { span.attributes["http.response.status_code"] = Int64(head.status) }
                guard let value = accept(head, code) else { throw StoreFailure(status: head.status, code: code) }
                return value
            }
            // A success slower than a read may be does not show that reads, which requests wait for, would succeed.
            let isQuick = deadlines.answer != nil || self.now() - start <= self.configuration.answerTimeout.nanoseconds
            end(nil, isQuick ? .success : .ignored)
            return value
        } catch let failure as StoreFailure {
            end(failure, failure.outcome(of: operation))
            throw failure
        } catch {
            self.health.record(.ignored, of: ticket)
            throw error
        }
    }

    private func exchange(
        _ request: SignedRequest, into sink: any FetchSink, _ deadlines: Deadlines, urgency: Urgency
    ) async throws -> (FetchResponseHead, code: String) {
        let signed = request.signed(
            self.currentCredentials, for: self.configuration,
            at: SigningTime(secondsSince1970: self.secondsSince1970()), errorBodyLimit: Self.documentLimit,
            urgency: urgency)
        let response = ObjectResponse(sink)
        let (fetcher, sleep) = (self.fetcher, self.sleep)
        do {
            let head = try await withThrowingTaskGroup(of: FetchResponseHead.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await fetcher.fetch(signed, into: response).head }
                group.addTask {
                    if let answer = deadlines.answer {
                        try await sleep(answer)
                        guard response.hasBegun else { throw StoreFailure.unavailable("no answer within \(answer)") }
                    }
                    try await sleep(deadlines.whole - (deadlines.answer ?? .zero))
                    throw StoreFailure.unavailable("not done within \(deadlines.whole)")
                }
                guard let head = try await group.next() else { throw CancellationError() }
                return head
            }
            return (head, head.status == 200 ? "" : response.errorCode)
        } catch let error as FetchError {
            throw StoreFailure(error)
        }
    }
}

extension StoreFailure {
    /// Classifies a response that `accept` has rejected.
    fileprivate init(status: Int, code: String) {
        self =
            status >= 500 || status == 429
            ? .unavailable("it answered with status \(status)\(code.isEmpty ? "" : " (\(code))")")
            : .refused(status: status, code: code)
    }
}
