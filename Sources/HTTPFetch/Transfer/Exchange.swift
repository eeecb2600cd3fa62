import CPosterCurl

/// What one fetch has learnt from its answers so far, and what it decides in libcurl's callbacks.
///
/// Lives on the fetch thread. It is the context of the callbacks, so it neither throws nor traps: it remembers why it
/// ended a transfer, and ``conclude(_:)`` says so afterwards.
final class Exchange {
    /// Why a callback ended the transfer.
    private enum Verdict {
        /// The head says it all; the rest of the body is not worth reading.
        case enough
        case failure(FetchError)
    }

    /// What is to be done once libcurl is done with a hop.
    enum Conclusion {
        case answered(FetchResponse)
        case redirected(to: String)
        case failed(FetchError)
    }

    let id: UInt64
    private(set) var url: FetchURL

    private let sink: any FetchSink
    private let addresses: AddressGuard
    private let maxBytes: Int
    private let maxHeaderBytes: Int

    private var head = ResponseHeadReader()
    private var verdict: Verdict?
    private var refusedAddress: String?
    private var receivedByteCount = 0
    private var discardedByteCount = 0

    init(id: UInt64, url: FetchURL, sink: any FetchSink, configuration: FetchConfiguration) {
        self.id = id
        self.url = url
        self.sink = sink
        self.addresses = AddressGuard(allowsPrivate: configuration.allowPrivateAddresses)
        self.maxBytes = configuration.maxBytes
        self.maxHeaderBytes = configuration.maxHeaderBytes
    }

    /// Forgets the redirect's answer.
    func follow(_ url: FetchURL) {
        self.url = url
        self.head = ResponseHeadReader()
        self.verdict = nil
        self.refusedAddress = nil
        self.discardedByteCount = 0
    }
}

// MARK: Callbacks; false ends the transfer

extension Exchange {
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

        let head = self.head.head(finalURL: self.url.text)
        let declared = head.contentLength ?? 0
        guard self.isWanted else { return declared <= FetchConfiguration.maxDiscardedBytes || self.end(.enough) }
        guard declared <= self.maxBytes else { return self.end(.failure(.tooLarge(limit: self.maxBytes))) }
        return self.sink.begin(head) || self.end(.failure(.sinkFailed))
    }

    func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard self.isWanted else {
            self.discardedByteCount += bytes.count
            return self.discardedByteCount <= FetchConfiguration.maxDiscardedBytes || self.end(.enough)
        }
        guard bytes.count <= self.maxBytes - self.receivedByteCount else {
            return self.end(.failure(.tooLarge(limit: self.maxBytes)))
        }
        guard self.sink.receive(bytes) else { return self.end(.failure(.sinkFailed)) }
        self.receivedByteCount += bytes.count
        return true
    }

    private var isWanted: Bool { self.head.status == 200 }

    private func end(_ verdict: Verdict) -> Bool {
        self.verdict = verdict
        return false
    }
}

// MARK: Afterwards

extension Exchange {
    func conclude(_ ending: CurlEnding) -> Conclusion {
        if case .failure(let error) = self.verdict { return .failed(error) }
        guard self.isAnswered(ending) else { return .failed(ending.error(url: self.url, refused: self.refusedAddress)) }
        if Self.redirects.contains(self.head.status), let location = self.head.location {
            return .redirected(to: location)
        }
        let head = self.head.head(finalURL: self.url.text)
        return .answered(FetchResponse(head: head, receivedByteCount: self.receivedByteCount))
    }

    /// A body that nobody wants may end however it likes, early, damaged or badly coded: the head is the answer.
    private func isAnswered(_ ending: CurlEnding) -> Bool {
        self.head.isComplete && (!self.isWanted || ending.outcome == .complete)
    }

    /// 300 and 304 also have a `Location` at times, and are answers.
    private static var redirects: [Int] { [301, 302, 303, 307, 308] }
}
