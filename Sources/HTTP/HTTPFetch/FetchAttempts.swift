import Flights
import InternetAddress

/// Runs the attempts of one fetch, with their redirects and the pauses between them.
struct FetchAttempts: Sendable {
    let request: ValidatedRequest
    let sink: any FetchSink
    /// A time of the clock ``FetchTiming/now``.
    let deadline: UInt64
    let origin: Origin
    let exposure: OriginTransferTime
    let fetcher: Fetcher

    private var configuration: FetchConfiguration { self.fetcher.configuration }
    private var policy: RetryPolicy { self.configuration.retry }
    private var timeLeft: Duration { self.fetcher.timing.timeLeft(until: self.deadline) }

    /// - Throws: The last attempt's ``HopFailure``; ``FetchError`` if no attempt ran; `CancellationError`.
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
                // The retry is refused: the previous attempt's result counts.
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
            try await self.fetcher.timing.sleep(pause)
        }
    }

    private func response(of result: HopResult) throws -> FetchResponse {
        switch result.ending {
        case .response(var response):
            // Bounded by the longest pause of the origin.
            response.head.retryAfter = response.head.retryAfter.map { min($0, self.policy.maxPause) }
            return response
        case .failure(let failure): throw failure
        case .redirect(let location): throw FetchError.badRedirect(FetchURL.shown(location))
        }
    }

    /// Starts at the request's URL each time, because redirects may change between attempts.
    private func attempt(resumingAt resumePoint: ResumePoint?) async throws -> HopResult {
        let maxRedirects = self.configuration.maxRedirects
        var (url, resumePoint) = (self.request.url, resumePoint)
        var headerLines = self.request.headerLines + self.request.credentialLines
        var redirectCount = 0
        var mayBePrivate = !self.request.isPublicOnly
        var isPrivate = false
        var cookies = RedirectCookies()
        while true {
            let hop = Hop(
                request: self.request, url: url, headerLines: headerLines + cookies.headerLines(for: url),
                mayBePrivate: mayBePrivate, resumePoint: resumePoint, exposure: self.exposure)
            let result = try await self.send(hop)
            guard case .redirect(let location) = result.ending else { return result }
            guard redirectCount < maxRedirects else { throw FetchError.tooManyRedirects(limit: maxRedirects) }
            cookies.receive(result.cookies, from: url, at: self.fetcher.timing.secondsSince1970())
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

    // MARK: Pauses

    /// The pause before the next attempt; `nil` if there is none.
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

    /// `nil` if the retries are used up, or too little time is left for another.
    private func backoff(_ retryCount: Int) -> Duration? {
        guard retryCount < self.policy.maxRetries else { return nil }
        let delay = self.policy.delay(after: retryCount, random: self.fetcher.timing.random())
        return self.hasTime(after: delay) ? delay : nil
    }

    private func hasTime(after pause: Duration) -> Bool { pause + RetryPolicy.minTimeLeft <= self.timeLeft }

    // MARK: Hops

    /// Sends a hop and returns its result.
    /// - Throws: `CancellationError`, after the connection was closed; ``FetchError`` if the hop did not start, or was
    ///   ended by ``Fetcher/shutdown()``; ``HopFailure`` if libcurl's multi interface failed.
    private func send(_ hop: Hop) async throws -> HopResult {
        let start = ContinuousClock.now
        let route: Route
        do {
            route = try await self.route(of: hop)
        } catch let failure as HopFailure {
            return HopResult(ending: .failure(failure), resumePoint: hop.resumePoint)
        }
        let connectTimeout = self.configuration.connectTimeout - (ContinuousClock.now - start)
        var result = try await withWaiter { waiter in
            self.fetcher.queue.submit(
                Submission(
                    hop: hop, route: route, connectTimeout: connectTimeout, sink: self.sink, waiter: waiter))
        } cancel: { id in
            self.fetcher.queue.cancel(id)
        }
        // Name resolution may have left too little time for the timeout to count as the host's failure.
        if case .failure(let failure) = result.ending, failure.error == .timedOut(.connect),
            connectTimeout < self.configuration.connectTimeout / 2
        {
            result.ending = .failure(.local(failure.error))
        }
        return result
    }

    private func route(of hop: Hop) async throws -> Route {
        let (url, literal) = (hop.url, hop.url.literalAddress)
        if let proxy = self.fetcher.proxy?.proxy(for: url) {
            // The guard of the socket will see the proxy's address only.
            let addressGuard = AddressGuard(
                self.configuration, host: url.host, mayBePrivate: hop.mayBePrivate,
                isPublicOnly: hop.request.isPublicOnly)
            if let literal, !addressGuard.admits(literal) { throw FetchError.addressRefused(literal.description) }
            return .proxy(proxy)
        }
        if let literal { return .literal(literal) }
        return .addresses(try await self.addresses(of: url.host))
    }

    private func addresses(of host: String) async throws -> [IPAddress] {
        let resolver = self.fetcher.resolver
        do {
            if let result = resolver.cachedResult(for: host) { return try result.get() }
            return try await withTimeout(
                self.configuration.connectTimeout, throwing: HopFailure.local(.timedOut(.connect))
            ) {
                try await resolver.addresses(of: host)
            }
        } catch let error as ResolverError {
            switch error {
            case .notFound: throw HopFailure.local(.resolutionFailed)
            case .temporaryFailure: throw HopFailure.local(.resolutionFailed, isTransient: true)
            case .outOfDescriptors: throw HopFailure.local(.outOfDescriptors)
            case .busy: throw FetchError.overloaded(retryAfter: FetchConfiguration.minRetryAfter)
            }
        }
    }
}
