/// One fetch from its start to its end, over all of its hops.
///
/// Lives on the fetch thread.
final class Transfer {
    typealias Continuation = CheckedContinuation<FetchResponse, any Error>

    let id: UInt64
    /// When it is given up, wherever it stands.
    let deadline: ContinuousClock.Instant
    let curl: CurlTransfer
    /// Resumed by the loop, once it has let go of the transfer.
    let continuation: Continuation

    /// What is fetched now: the request's URL, or where a redirect led.
    var url: FetchURL { self.exchange.url }

    private let exchange: Exchange
    private let maxRedirects: Int
    private var redirectCount = 0

    /// - Throws: ``FetchError/outOfMemory``; the submission's continuation is then still the loop's to resume.
    init(_ submission: FetchSubmission, configuration: FetchConfiguration) throws(FetchError) {
        let exchange = Exchange(
            id: submission.id,
            url: submission.url,
            sink: submission.sink,
            configuration: configuration
        )
        let curl = try CurlTransfer(exchange, configuration: configuration)
        if let file = configuration.trustedCertificatesFile { try curl.trust(file) }
        try curl.target(submission.url)
        try curl.addHeaders(submission.headerLines)
        self.id = submission.id
        self.deadline = submission.deadline
        self.curl = curl
        self.exchange = exchange
        self.continuation = submission.continuation
        self.maxRedirects = configuration.maxRedirects
    }

    /// What follows from the end of a hop.
    ///
    /// - Returns: The outcome for the caller; nil when the transfer is set to its next hop instead.
    func conclude(code: Int32) -> Result<FetchResponse, FetchError>? {
        switch self.exchange.conclude(self.curl.ending(code: code)) {
        case .answered(let response): return .success(response)
        case .failed(let error): return .failure(error)
        case .redirected(let location):
            do throws(FetchError) {
                try self.follow(location)
                return nil
            } catch {
                return .failure(error)
            }
        }
    }

    private func follow(_ location: String) throws(FetchError) {
        guard self.redirectCount < self.maxRedirects else { throw .tooManyRedirects(limit: self.maxRedirects) }
        let next = try self.exchange.url.redirected(to: location)
        self.redirectCount += 1
        if !next.hasSameOrigin(as: self.exchange.url) { self.curl.dropHeaders() }
        try self.curl.target(next)
        self.exchange.follow(next)
    }
}

extension FetchError {
    /// `CURLE_OUT_OF_MEMORY`.
    static var outOfMemory: FetchError { .failed(code: 27, "out of memory") }
}
