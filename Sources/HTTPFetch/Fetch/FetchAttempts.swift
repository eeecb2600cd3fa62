import Flights

/// One fetch whose turn it is at its origin: its attempts, with the redirects of each and the pauses between them.
struct FetchAttempts: Sendable {
    /// A request that has been read.
    struct Request: Sendable {
        let url: FetchURL
        let headerLines: [String]
        let credentialLines: [String]
        let urgency: Urgency

        /// - Throws: ``FetchError/invalidURL(_:)``, ``FetchError/forbiddenScheme(_:)`` or
        ///   ``FetchError/invalidHeader(_:)``.
        init(_ request: FetchRequest) throws(FetchError) {
            self.url = try FetchURL.requested(request.url)
            self.headerLines = try FetchRequest.lines(of: request.headers)
            self.credentialLines = try FetchRequest.lines(of: request.credentials)
            self.urgency = request.urgency
        }
    }

    let request: Request
    let sink: any FetchSink
    let deadline: ContinuousClock.Instant
    let origin: Origin
    let sender: HopSender
    let timing: FetchTiming

    private var policy: RetryPolicy { self.sender.configuration.retry }
    private var timeLeft: Duration { self.deadline - ContinuousClock.now }

    /// - Returns: The last attempt's answer.
    /// - Throws: The last attempt's ``FetchError``; `CancellationError`.
    func run() async throws -> FetchResponse {
        var retryCount = 0
        var resumePoint: ResumePoint?
        while true {
            try await self.origin.awaitTurn(atMost: self.timeLeft)
            self.origin.countAttempt(isRetry: retryCount > 0)
            let outcome = try await self.attempt(resumingAt: resumePoint)
            if outcome.hasResumed { self.origin.countResumed() }
            resumePoint = outcome.resumePoint
            guard let pause = self.pause(after: outcome, retryCount: retryCount) else {
                switch outcome.ending {
                case .answered(let response): return response
                case .failed(let error): throw error
                case .redirected(let location): throw FetchError.badRedirect(location)
                }
            }
            retryCount += 1
            try await self.timing.sleep(pause)
        }
    }

    /// Starts at the request's URL each time: where a redirect leads may have changed.
    private func attempt(resumingAt resumePoint: ResumePoint?) async throws -> HopOutcome {
        let maxRedirects = self.sender.configuration.maxRedirects
        var (url, resumePoint) = (self.request.url, resumePoint)
        var headerLines = self.request.headerLines + self.request.credentialLines
        var redirectCount = 0
        while true {
            let outcome = try await self.sender.send(
                url, headerLines: headerLines, into: self.sink, resumePoint: resumePoint,
                urgency: self.request.urgency)
            guard case .redirected(let location) = outcome.ending else { return outcome }
            guard redirectCount < maxRedirects else { throw FetchError.tooManyRedirects(limit: maxRedirects) }
            let next = try url.redirected(to: location)
            // Gone for good, even if a later redirect leads back.
            if !next.hasSameOrigin(as: url) { headerLines = self.request.headerLines }
            (url, resumePoint) = (next, outcome.resumePoint)
            redirectCount += 1
        }
    }

    /// How long to wait before the next attempt; nil when there is to be none.
    private func pause(after outcome: HopOutcome, retryCount: Int) -> Duration? {
        switch outcome.ending {
        case .redirected: return nil
        case .failed(let error): return error.isPassing ? self.backoff(retryCount) : nil
        case .answered(let response):
            guard response.status == 429 || Origin.failureStatuses.contains(response.status) else { return nil }
            guard response.status == 429 || response.status == 503, let wish = response.retryAfter else {
                return self.backoff(retryCount)
            }
            let pause = max(wish, self.backoff(retryCount) ?? .zero)
            guard retryCount < self.policy.maxRetries, pause <= self.policy.maxDelay, pause < self.timeLeft else {
                self.origin.pause(for: min(wish, self.policy.maxPause))
                return nil
            }
            // The others are to leave it alone too.
            self.origin.rest(for: wish)
            return pause
        }
    }

    /// nil when there have been enough retries, or there is no time for another.
    private func backoff(_ retryCount: Int) -> Duration? {
        guard retryCount < self.policy.maxRetries else { return nil }
        let delay = self.policy.delay(after: retryCount, random: self.timing.random())
        return delay < self.timeLeft ? delay : nil
    }
}
