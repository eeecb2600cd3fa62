import Flights

/// One fetch whose turn it is at its origin: its attempts, with the redirects of each and the pauses between them.
struct FetchAttempts: Sendable {
    let request: ValidatedRequest
    let sink: any FetchSink
    /// A time of ``FetchTiming/now``.
    let deadline: UInt64
    let origin: Origin
    let trace: OriginExposure
    let sender: HopSender
    let timing: FetchTiming

    private var policy: RetryPolicy { self.sender.configuration.retry }
    private var timeLeft: Duration { self.timing.timeLeft(until: self.deadline) }

    /// - Returns: The last attempt's answer.
    /// - Throws: The last attempt's ``HopFailure``, ``FetchError`` when there was none; `CancellationError`.
    func run() async throws -> FetchResponse {
        var retryCount = 0
        var last: HopResult?
        while true {
            let result: HopResult
            do {
                try await self.origin.awaitTurn(
                    atMost: last == nil ? self.timeLeft : self.timeLeft - RetryPolicy.minTimeLeft)
                self.origin.countAttempt(isRetry: last != nil)
                result = try await self.attempt(resumingAt: last?.resumePoint)
            } catch let refusal as FetchError where refusal.isRefusal {
                // A retry that may not be: what the attempt before it was told is the result.
                guard let last else { throw refusal }
                return try self.end(last)
            }
            if result.hasResumed { self.origin.countResumed() }
            if result.originOutcome == .failure { self.trace.noteFailure() }
            guard let pause = self.pause(after: result, retryCount: retryCount) else { return try self.end(result) }
            last = result
            retryCount += 1
            try await self.timing.sleep(pause)
        }
    }

    private func end(_ result: HopResult) throws -> FetchResponse {
        switch result.ending {
        case .answered(var response):
            // As long as we leave it alone ourselves.
            response.head.retryAfter = response.head.retryAfter.map { min($0, self.policy.maxPause) }
            return response
        case .failed(let failure): throw failure
        case .redirected(let location): throw FetchError.badRedirect(FetchURL.shown(location))
        }
    }

    /// Starts at the request's URL each time: where a redirect leads may have changed.
    private func attempt(resumingAt resumePoint: ResumePoint?) async throws -> HopResult {
        let maxRedirects = self.sender.configuration.maxRedirects
        var (url, resumePoint) = (self.request.url, resumePoint)
        var headerLines = self.request.headerLines + self.request.credentialLines
        var redirectCount = 0
        var mayBePrivate = !self.request.isPublicOnly
        var isPrivate = false
        while true {
            let hop = HopSender.Request(
                url: url, method: self.request.method, body: self.request.body,
                keepsErrorBodies: self.request.keepsErrorBodies, headerLines: headerLines, mayBePrivate: mayBePrivate,
                isPublicOnly: self.request.isPublicOnly, resumePoint: resumePoint,
                urgency: self.request.urgency, trace: self.trace)
            let result = try await self.sender.send(hop, into: self.sink)
            guard case .redirected(let location) = result.ending else { return result }
            guard redirectCount < maxRedirects else { throw FetchError.tooManyRedirects(limit: maxRedirects) }
            let next = try url.redirected(to: location)
            guard !self.request.staysAtOrigin || next.hasSameOrigin(as: self.request.url) else {
                throw FetchError.badRedirect(FetchURL.shown(next.text))
            }
            // Gone for good, even if a later redirect leads back.
            if !next.hasSameOrigin(as: url) { headerLines = self.request.headerLines }
            // Only who is in the private network may send us on within it.
            if redirectCount == 0 { isPrivate = result.isPrivate }
            mayBePrivate =
                !self.request.isPublicOnly && (isPrivate || next.host == self.request.url.host)
            (url, resumePoint) = (next, result.resumePoint)
            redirectCount += 1
        }
    }
}

// MARK: Pauses

extension FetchAttempts {
    /// How long to wait before the next attempt; nil when there is to be none.
    private func pause(after result: HopResult, retryCount: Int) -> Duration? {
        switch result.ending {
        case .redirected: return nil
        case .failed(let failure):
            let isHarmless = self.request.method.isRepeatable || !result.mayBeSent
            return failure.isTransient && isHarmless ? self.backoff(retryCount) : nil
        case .answered(let response):
            guard response.status == 429 || Origin.failureStatuses.contains(response.status) else { return nil }
            let isRetried =
                self.request.method.isRepeatable && self.request.retriedStatuses.contains(response.status)
            guard response.status == 429 || response.status == 503, let wish = response.retryAfter else {
                return isRetried ? self.backoff(retryCount) : nil
            }
            let pause = max(wish, self.backoff(retryCount) ?? .zero)
            guard isRetried, retryCount < self.policy.maxRetries, pause <= self.policy.maxDelay,
                self.hasTime(after: pause)
            else {
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
        return self.hasTime(after: delay) ? delay : nil
    }

    private func hasTime(after pause: Duration) -> Bool { pause + RetryPolicy.minTimeLeft <= self.timeLeft }
}
