import CPosterCurl

/// The state of a transfer's callbacks: parses the response's head, and passes the body to the sink.
///
/// Confined to the fetch thread. libcurl's callbacks can neither throw nor trap: if one ends the transfer, the reason
/// is stored, and ``result(_:)`` returns it afterwards.
final class HTTPExchange {
    private enum EarlyEnd {
        /// The head is the result; the rest of the body is not needed.
        case headSuffices
        case failure(FetchError)
    }

    /// The destination of the response's body.
    private enum Body {
        case discarded
        /// The sink receives it from its start.
        case whole(FetchResponseHead)
        /// The sink receives at most `limit` bytes of a response other than a 200.
        case excerpt(limit: Int)
        /// The sink receives the rest of an interrupted body.
        case rest(of: ResumePoint, completeLength: Int)
    }

    let submission: Submission
    private let configuration: FetchConfiguration
    private let addressGuard: AddressGuard
    private let secondsSince1970: () -> Int64

    private var head: ResponseHeadParser
    private var body = Body.discarded
    private var earlyEnd: EarlyEnd?
    private var refusedAddress: String?
    /// Where the sink's earlier body broke off; `nil` once this response has made it useless.
    private var resumePoint: ResumePoint?
    /// Body bytes that the sink has, from all attempts.
    private var receivedByteCount = 0
    private var discardedByteCount = 0
    /// Decoder of the body; `nil` if none is decoded.
    private var decoder: ContentDecoder?
    /// Received body bytes, before content decoding.
    private var encodedByteCount = 0

    init(_ submission: Submission, configuration: FetchConfiguration, secondsSince1970: @escaping () -> Int64) {
        self.submission = submission
        self.head = ResponseHeadParser(keptFieldPrefix: submission.hop.request.keptFieldPrefix)
        self.configuration = configuration
        self.addressGuard = AddressGuard(configuration, hop: submission.hop, route: submission.route)
        self.resumePoint = submission.hop.resumePoint
        self.secondsSince1970 = secondsSince1970
    }

    // MARK: Callbacks; false ends the transfer

    func admit(_ sockaddr: UnsafeRawBufferPointer) -> Bool {
        guard let refused = self.addressGuard.refusal(of: sockaddr) else { return true }
        self.refusedAddress = refused
        return false
    }

    func readHead(_ line: UnsafeRawBufferPointer) -> Bool {
        let isCompletedByThis = self.head.read(line)
        guard self.head.byteCount <= self.configuration.maxHeaderBytes else {
            return self.end(.failure(.headTooLarge(limit: self.configuration.maxHeaderBytes)))
        }
        guard isCompletedByThis else { return true }
        guard !self.head.hasConflictingLengths else { return self.end(.failure(.conflictingLengths)) }
        guard !self.head.hasInvalidLength else { return self.end(.failure(.invalidLength)) }

        let head = self.parsedHead()
        let declared = head.contentLength ?? 0
        switch head.status {
        // Some servers, such as rclone's S3 server, send the requested range with status 200.
        case 200 where self.submission.hop.isResuming && self.head.contentRange != nil: return self.resume()
        case 200: return self.beginWhole(head)
        // Some servers answer every request with a range.
        case 206 where !self.submission.hop.isResuming && self.head.contentRange?.isWhole == true:
            var head = head
            head.status = 200
            return self.beginWhole(head)
        case 206 where self.submission.hop.isResuming, 416 where self.submission.hop.isResuming:
            return self.resume()
        case let status where self.submission.hop.request.errorBodyLimit > 0 && !self.isRedirect(status):
            // A body that cannot be decoded is useless; the status is not.
            guard (try? self.makeDecoder()) != nil else { return self.end(.headSuffices) }
            return self.begin(
                .excerpt(limit: min(self.submission.hop.request.errorBodyLimit, self.configuration.maxBytes)), head)
        default: return declared <= FetchConfiguration.maxDiscardedBytes || self.end(.headSuffices)
        }
    }

    func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch self.body {
        case .discarded:
            self.discardedByteCount += bytes.count
            return self.discardedByteCount <= FetchConfiguration.maxDiscardedBytes || self.end(.headSuffices)
        case .rest(_, let completeLength) where bytes.count > completeLength - self.receivedByteCount:
            self.receivedByteCount = completeLength
            return self.end(.failure(.truncated))
        case .rest: return self.take(bytes)
        case .whole, .excerpt: return self.decode(bytes)
        }
    }

    /// Decodes body bytes for the sink. The encoded body has the same limit as the decoded one.
    private func decode(_ bytes: UnsafeRawBufferPointer) -> Bool {
        self.encodedByteCount += bytes.count
        do throws(FetchError) {
            guard self.encodedByteCount <= self.configuration.maxBytes else {
                throw .tooLarge(limit: self.configuration.maxBytes)
            }
            return try self.decoder?.decode(bytes) { self.take($0) } ?? self.take(bytes)
        } catch {
            return self.end(self.isExcerpt ? .headSuffices : .failure(error))
        }
    }

    /// Passes decoded bytes to the sink, within the limits.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if case .excerpt(let limit) = self.body {
            let count = min(bytes.count, limit - self.receivedByteCount)
            guard count == 0 || self.receive(UnsafeRawBufferPointer(rebasing: bytes[..<count])) else { return false }
            return count == bytes.count || self.end(.headSuffices)
        }
        guard bytes.count <= self.configuration.maxBytes - self.receivedByteCount else {
            return self.end(.failure(.tooLarge(limit: self.configuration.maxBytes)))
        }
        return self.receive(bytes)
    }

    private var isExcerpt: Bool { if case .excerpt = self.body { true } else { false } }

    private func makeDecoder() throws(FetchError) {
        self.decoder = try ContentDecoder(self.head.codings, maxBytes: self.configuration.maxBytes)
    }

    private func beginWhole(_ head: FetchResponseHead) -> Bool {
        do throws(FetchError) {
            guard head.contentLength ?? 0 <= self.configuration.maxBytes else {
                throw .tooLarge(limit: self.configuration.maxBytes)
            }
            try self.makeDecoder()
        } catch {
            self.resumePoint = nil
            return self.end(.failure(error))
        }
        return self.begin(.whole(head), head)
    }

    private func begin(_ body: Body, _ head: FetchResponseHead) -> Bool {
        self.resumePoint = nil
        self.body = body
        return self.submission.sink.begin(head) || self.end(.failure(.sinkFailed))
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard self.submission.sink.receive(bytes) else { return self.end(.failure(.sinkFailed)) }
        self.receivedByteCount += bytes.count
        return true
    }

    /// Resumes the sink's body if this response is the requested rest; otherwise the next attempt starts over.
    private func resume() -> Bool {
        guard let point = self.resumePoint, self.head.status != 416,
            let completeLength = point.completeLength(continuedBy: self.head)
        else {
            self.resumePoint = nil
            return self.end(.failure(.truncated))
        }
        self.receivedByteCount = point.receivedByteCount
        guard completeLength <= self.configuration.maxBytes else {
            return self.end(.failure(.tooLarge(limit: self.configuration.maxBytes)))
        }
        self.body = .rest(of: point, completeLength: completeLength)
        return true
    }

    private func end(_ reason: EarlyEnd) -> Bool {
        self.earlyEnd = reason
        return false
    }

    /// 300 and 304 may have a `Location` too, and are final responses.
    private func isRedirect(_ status: Int) -> Bool {
        self.submission.hop.request.method.isRepeatable && [301, 302, 303, 307, 308].contains(status)
            && self.head.location != nil
    }

    private func parsedHead() -> FetchResponseHead {
        self.head.head(finalURL: self.submission.hop.url.text, now: self.secondsSince1970())
    }

    // MARK: Afterwards

    func result(_ curl: CurlResult) -> HopResult {
        HopResult(
            ending: self.ending(curl), cookies: self.head.cookies, mayBeSent: curl.hasConnected,
            isPrivate: self.addressGuard.isKnownPrivate(self.submission.route.addresses),
            hasResumed: self.hasResumed, resumePoint: self.nextResumePoint())
    }

    private func ending(_ curl: CurlResult) -> HopResult.Ending {
        if case .failure(let error) = self.earlyEnd { return .failure(HopFailure(error)) }
        let failure = HopResult.Ending.failure(curl.failure(url: self.submission.hop.url, refused: self.refusedAddress))
        switch self.body {
        case .discarded:
            // The head is the result, even if the body is truncated, damaged or badly coded.
            guard self.head.isComplete else { return failure }
            if self.isRedirect(self.head.status), let location = self.head.location { return .redirect(to: location) }
            return self.response(self.parsedHead())
        case .excerpt: return self.response(self.parsedHead())
        case .whole(let head):
            guard curl.outcome == .complete else { return failure }
            if let error = self.finishBody() { return .failure(HopFailure(error)) }
            return self.response(head)
        case .rest(let point, let completeLength):
            guard curl.outcome == .complete else { return failure }
            // The body may be framed as something shorter than its `Content-Range`.
            guard self.receivedByteCount == completeLength else { return .failure(HopFailure(.truncated)) }
            return self.response(point.head)
        }
    }

    /// Completes a whole body.
    /// - Returns: Why the body is incomplete; `nil` if it is complete.
    private func finishBody() -> FetchError? {
        // A 206 may be framed as something other than its `Content-Range`.
        let isPart = self.head.status == 206 && self.head.contentRange?.completeLength != self.encodedByteCount
        guard !isPart else { return .truncated }
        do throws(FetchError) {
            _ = try self.decoder?.finish { self.take($0) }
        } catch {
            return error
        }
        if case .failure(let error) = self.earlyEnd { return error }
        return nil
    }

    private func response(_ head: FetchResponseHead) -> HopResult.Ending {
        .response(FetchResponse(head: head, receivedByteCount: self.receivedByteCount))
    }

    private var hasResumed: Bool {
        if case .rest = self.body { true } else { false }
    }

    private func nextResumePoint() -> ResumePoint? {
        switch self.body {
        case .discarded: return self.resumePoint
        case .excerpt: return nil
        case .rest(var point, let completeLength):
            // The body is complete or too long, and yet a failure: there is no rest to request.
            guard self.receivedByteCount < completeLength else { return nil }
            point.receivedByteCount = self.receivedByteCount
            point.completeLength = completeLength
            return point
        case .whole(let head):
            guard self.receivedByteCount > 0, self.decoder?.isIdentity == true, !self.head.refusesRanges,
                let etag = self.head.etag, ResumePoint.isStrong(etag),
                self.receivedByteCount < head.contentLength ?? .max
            else { return nil }
            return ResumePoint(
                url: self.submission.hop.url, etag: etag, receivedByteCount: self.receivedByteCount,
                completeLength: head.contentLength, head: head)
        }
    }
}
