import Flights

/// The attempts of one fetch, with their redirects and the pauses between them.
struct FetchAttempts: Sendable {
    let request: ValidatedRequest
    let sink: any FetchSink
    /// A time of ``FetchTiming/now``.
    let deadline: UInt64
    let origin: Origin
    let exposure: OriginExposure
    let sender: HopSender
    let timing: FetchTiming

    private var policy: RetryPolicy { self.sender.configuration.retry }
    private var timeLeft: Duration { self.timing.timeLeft(until: self.deadline) }

    /// - Returns: The last attempt's response.
    /// - Throws: The last attempt's ``HopFailure``, ``FetchError`` when there was none; `CancellationError`.
    func run() async throws -> FetchResponse {
        var retryCount = 0
        var last: HopResult?
        while true {
            let result: HopResult
            do {
                try await self.origin.waitForRate(
                    atMost: last == nil ? self.timeLeft : self.timeLeft - RetryPolicy.minTimeLeft)
                self.origin.countAttempt(isRetry: last != nil)
                result = try await self.attempt(resumingAt: last?.resumePoint)
            } catch let refusal as FetchError where refusal.isRefusal {
                // The retry is refused: the result is that of the attempt before.
                guard let last else { throw refusal }
                return try self.response(of: last)
            }
            if result.hasResumed { self.origin.countResumed() }
            if result.originOutcome == .failure { self.exposure.recordFailure() }
            guard let pause = self.pause(after: result, retryCount: retryCount) else {
                return try self.response(of: result)
            }
            last = result
            retryCount += 1
            try await self.timing.sleep(pause)
        }
    }

    private func response(of result: HopResult) throws -> FetchResponse {
        switch result.ending {
        case .response(var response):
            // The time for which the origin is paused here.
            response.head.retryAfter = response.head.retryAfter.map { min($0, self.policy.maxPause) }
            return response
        case .failure(let failure): throw failure
        case .redirect(let location): throw FetchError.badRedirect(FetchURL.shown(location))
        }
    }

    /// Starts at the request's URL each time: a redirect may lead elsewhere by now.
    private func attempt(resumingAt resumePoint: ResumePoint?) async throws -> HopResult {
        let maxRedirects = self.sender.configuration.maxRedirects
        var (url, resumePoint) = (self.request.url, resumePoint)
        var headerLines = self.request.headerLines + self.request.credentialLines
        var redirectCount = 0
        var mayBePrivate = !self.request.isPublicOnly
        var isPrivate = false
        while true {
            let hop = Hop(
                request: self.request, url: url, headerLines: headerLines, mayBePrivate: mayBePrivate,
                resumePoint: resumePoint, exposure: self.exposure)
            let result = try await self.sender.send(hop, into: self.sink)
            guard case .redirect(let location) = result.ending else { return result }
            guard redirectCount < maxRedirects else { throw FetchError.tooManyRedirects(limit: maxRedirects) }
            let next = try url.redirected(to: location)
            guard !self.request.staysAtOrigin || next.origin == self.request.url.origin else {
                throw FetchError.badRedirect(FetchURL.shown(next.text))
            }
            // Credentials are dropped for good, even if a later redirect leads back.
            if next.origin != url.origin { headerLines = self.request.headerLines }
            // Only a host in the private network may redirect within it.
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
    /// The pause before the next attempt; nil when there is to be none.
    private func pause(after result: HopResult, retryCount: Int) -> Duration? {
        switch result.ending {
        case .redirect: return nil
        case .failure(let failure):
            let isHarmless = self.request.method.isRepeatable || !result.mayBeSent
            return failure.isTransient && isHarmless ? self.backoff(retryCount) : nil
        case .response(let response):
            guard response.status == 429 || Origin.failureStatuses.contains(response.status) else { return nil }
            let isRetried =
                self.request.method.isRepeatable && self.request.retriedStatuses.contains(response.status)
            guard response.status == 429 || response.status == 503, let retryAfter = response.retryAfter else {
                return isRetried ? self.backoff(retryCount) : nil
            }
            let pause = max(retryAfter, self.backoff(retryCount) ?? .zero)
            guard isRetried, retryCount < self.policy.maxRetries, pause <= self.policy.maxDelay,
                self.hasTime(after: pause)
            else {
                self.origin.pause(for: min(retryAfter, self.policy.maxPause))
                return nil
            }
            // `Retry-After` applies to other fetches too.
            self.origin.rest(for: retryAfter)
            return pause
        }
    }

    /// nil when the retries are used up, or there is no time for another.
    private func backoff(_ retryCount: Int) -> Duration? {
        guard retryCount < self.policy.maxRetries else { return nil }
        let delay = self.policy.delay(after: retryCount, random: self.timing.random())
        return self.hasTime(after: delay) ? delay : nil
    }

    private func hasTime(after pause: Duration) -> Bool { pause + RetryPolicy.minTimeLeft <= self.timeLeft }
}
