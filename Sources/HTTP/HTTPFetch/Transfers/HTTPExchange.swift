import CPosterCurl

/// What one hop has learnt from its answer so far, and what it decides in libcurl's callbacks.
///
/// Lives on the fetch thread. It is the context of the callbacks, so it neither throws nor traps: it remembers why it
/// ended a transfer, and ``conclude(_:)`` says so afterwards.
final class HTTPExchange {
    /// Why a callback ended the transfer.
    private enum EarlyEnd {
        /// The head says it all; the rest of the body is not worth reading.
        case enough
        case failure(FetchError)
    }

    /// What is done with the answer's body.
    private enum Body {
        case unwanted
        /// The sink gets it from its start.
        case whole(FetchResponseHead)
        /// The sink gets so many bytes of an answer that is not a 200.
        case excerpt(limit: Int)
        /// The sink gets the rest of what it has.
        case rest(of: ResumePoint, completeLength: Int)
    }

    let id: UInt64
    private let hop: Hop
    private let sink: any FetchSink
    private let addresses: AddressGuard
    private let maxBytes: Int
    private let maxHeaderBytes: Int
    private let secondsSince1970: () -> Int64

    private var head = ResponseHeadParser()
    private var body = Body.unwanted
    private var early: EarlyEnd?
    private var refusedAddress: String?
    /// Where the sink's body from before broke off, unless this answer made it worthless.
    private var resumePoint: ResumePoint?
    /// What the sink has.
    private var receivedByteCount = 0
    private var discardedByteCount = 0

    init(
        id: UInt64, hop: Hop, sink: any FetchSink, configuration: FetchConfiguration,
        secondsSince1970: @escaping () -> Int64
    ) {
        self.id = id
        self.hop = hop
        self.sink = sink
        self.addresses = AddressGuard(configuration, hop: hop)
        self.maxBytes = configuration.maxBytes
        self.maxHeaderBytes = configuration.maxHeaderBytes
        self.resumePoint = hop.resumePoint
        self.secondsSince1970 = secondsSince1970
    }
}

// MARK: Callbacks; false ends the transfer

extension HTTPExchange {
    func admit(_ sockaddr: UnsafeRawBufferPointer) -> Bool {
        guard let refused = self.addresses.refusal(of: sockaddr) else { return true }
        self.refusedAddress = refused
        return false
    }

    func readHead(_ line: UnsafeRawBufferPointer) -> Bool {
        let isCompletedByThis = self.head.read(line)
        guard self.head.byteCount <= self.maxHeaderBytes else {
            return self.end(.failure(.headTooLarge(limit: self.maxHeaderBytes)))
        }
        guard isCompletedByThis else { return true }

        let head = self.readHead()
        let declared = head.contentLength ?? 0
        switch head.status {
        case 200: return self.begin(head, declared: declared)
        case 206 where self.hop.isResuming, 416 where self.hop.isResuming:
            return self.goOn()
        case let status where self.hop.keepsErrorBodies > 0 && !self.isRedirect(status): return self.beginExcerpt(head)
        default: return declared <= FetchConfiguration.maxDiscardedBytes || self.end(.enough)
        }
    }

    func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if case .unwanted = self.body {
            self.discardedByteCount += bytes.count
            return self.discardedByteCount <= FetchConfiguration.maxDiscardedBytes || self.end(.enough)
        }
        if case .excerpt(let limit) = self.body { return self.readExcerpt(bytes, limit: limit) }
        if case .rest(_, let completeLength) = self.body, bytes.count > completeLength - self.receivedByteCount {
            self.receivedByteCount = completeLength
            return self.end(.failure(.truncated))
        }
        guard bytes.count <= self.maxBytes - self.receivedByteCount else {
            return self.end(.failure(.tooLarge(limit: self.maxBytes)))
        }
        guard self.sink.receive(bytes) else { return self.end(.failure(.sinkFailed)) }
        self.receivedByteCount += bytes.count
        return true
    }

    private func begin(_ head: FetchResponseHead, declared: Int) -> Bool {
        self.resumePoint = nil
        guard declared <= self.maxBytes else { return self.end(.failure(.tooLarge(limit: self.maxBytes))) }
        self.body = .whole(head)
        return self.sink.begin(head) || self.end(.failure(.sinkFailed))
    }

    private func beginExcerpt(_ head: FetchResponseHead) -> Bool {
        self.resumePoint = nil
        self.body = .excerpt(limit: min(self.hop.keepsErrorBodies, self.maxBytes))
        return self.sink.begin(head) || self.end(.failure(.sinkFailed))
    }

    private func readExcerpt(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
        let count = min(bytes.count, limit - self.receivedByteCount)
        if count > 0 {
            let isTaken = self.sink.receive(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            guard isTaken else { return self.end(.failure(.sinkFailed)) }
            self.receivedByteCount += count
        }
        return count == bytes.count || self.end(.enough)
    }

    private func isRedirect(_ status: Int) -> Bool {
        self.hop.method.isRepeatable && Self.redirects.contains(status) && self.head.location != nil
    }

    /// What is not the rest that was asked for is as good as none; the next attempt starts over.
    private func goOn() -> Bool {
        guard let point = self.resumePoint, self.head.status == 206,
            let completeLength = point.completeLength(continuedBy: self.head)
        else {
            self.resumePoint = nil
            return self.end(.failure(.truncated))
        }
        self.receivedByteCount = point.receivedByteCount
        guard completeLength <= self.maxBytes else {
            return self.end(.failure(.tooLarge(limit: self.maxBytes)))
        }
        self.body = .rest(of: point, completeLength: completeLength)
        return true
    }

    private func end(_ early: EarlyEnd) -> Bool {
        self.early = early
        return false
    }

    private func readHead() -> FetchResponseHead {
        self.head.head(finalURL: self.hop.url.text, now: self.secondsSince1970())
    }
}

// MARK: Afterwards

extension HTTPExchange {
    func conclude(_ ending: CurlResult) -> HopResult {
        HopResult(
            ending: self.ending(ending), mayBeSent: ending.hasConnected,
            isPrivate: self.addresses.knowsAsPrivate(self.hop),
            hasResumed: self.hasResumed, resumePoint: self.brokenOff())
    }

    private func ending(_ ending: CurlResult) -> HopResult.Ending {
        if case .failure(let error) = self.early { return .failed(HopFailure(error)) }
        let failure = HopResult.Ending.failed(ending.failure(url: self.hop.url, refused: self.refusedAddress))
        switch self.body {
        case .unwanted:
            // It may end however it likes, early, damaged or badly coded: the head is the answer.
            guard self.head.isComplete else { return failure }
            if self.isRedirect(self.head.status), let location = self.head.location {
                return .redirected(to: location)
            }
            return .answered(FetchResponse(head: self.readHead(), receivedByteCount: 0))
        case .excerpt: return .answered(FetchResponse(head: self.readHead(), receivedByteCount: self.receivedByteCount))
        case .whole(let head):
            guard ending.outcome == .complete else { return failure }
            return .answered(FetchResponse(head: head, receivedByteCount: self.receivedByteCount))
        case .rest(let point, let completeLength):
            guard ending.outcome == .complete else { return failure }
            // The rest may be framed as something shorter than what its `Content-Range` says.
            guard self.receivedByteCount == completeLength else { return .failed(HopFailure(.truncated)) }
            return .answered(FetchResponse(head: point.head, receivedByteCount: self.receivedByteCount))
        }
    }

    private var hasResumed: Bool {
        if case .rest = self.body { true } else { false }
    }

    /// What the sink has got for a later attempt to go on with.
    private func brokenOff() -> ResumePoint? {
        switch self.body {
        case .unwanted: return self.resumePoint
        case .excerpt: return nil
        case .rest(var point, let completeLength):
            // All of it, or more, and yet no good end: there is no rest to ask for.
            guard self.receivedByteCount < completeLength else { return nil }
            point.receivedByteCount = self.receivedByteCount
            point.completeLength = completeLength
            return point
        case .whole(let head):
            guard self.receivedByteCount > 0, self.head.contentEncoding == nil, !self.head.refusesRanges,
                let etag = self.head.etag, ResumePoint.isStrong(etag),
                self.receivedByteCount < head.contentLength ?? .max
            else { return nil }
            return ResumePoint(
                url: self.hop.url, etag: etag, receivedByteCount: self.receivedByteCount,
                completeLength: head.contentLength, head: head)
        }
    }

    /// 300 and 304 also have a `Location` at times, and are answers.
    private static var redirects: [Int] { [301, 302, 303, 307, 308] }
}
