import Logging
package import MovieDomain
import Synchronization

extension UpstreamClient {
    /// How long an upstream is left alone that says that it is busy, and not for how long, in seconds: at first, and at most.
    private static let pauses = 2...64

    /// Asks, within the day's budget, unless the upstream is to be left alone.
    ///
    /// - Throws: ``SourceFailure`` when nothing was said; `CancellationError`.
    func ask(_ request: UpstreamRequest, etag: String?) async throws -> UpstreamAnswer {
        if let seconds = self.upkeep.withLock({ $0.secondsBusy(at: self.now()) }) {
            throw SourceFailure.busy(self.source, retryAfterSeconds: seconds)
        }
        let day = try await self.spend()
        var query = request.query + request.secrets
        var headers: [(name: String, value: String)] = []
        for credential in self.configuration.credentials {
            switch credential {
            case .query(let name, let value): query.append((name, value))
            case .header(let name, let value): headers.append((name, value))
            }
        }
        if let etag { headers.append(("If-None-Match", etag)) }
        let url = UpstreamURL.text(base: self.configuration.baseURL, path: request.path, query: query)
        let call = UpstreamCall(
            method: request.method, url: url, headers: headers, json: request.json,
            answerBytes: self.configuration.limits.answerBytes, isCounted: day != nil)
        do {
            return try await self.transport.send(call)
        } catch let failure as UpstreamTransportFailure {
            if let day, failure.isUnsent { try await self.giveBack(on: day) }
            throw self.failure(failure)
        }
    }

    /// What a status means that is no answer to the request.
    package func failure(byStatusOf answer: UpstreamAnswer) -> SourceFailure {
        switch answer.status {
        case 401, 403: .keyRefused(self.source)
        case 429: self.busy(answer)
        case 408, 504: .tooSlow(self.source)
        case 503 where answer.retryAfter != nil: self.busy(answer)
        case 500...: .unavailable(self.source, reason: "status \(answer.status)")
        default: .badAnswer(self.source, reason: "status \(answer.status)")
        }
    }

    private func failure(_ failure: UpstreamTransportFailure) -> SourceFailure {
        switch failure {
        case .busy(let wait): .busy(self.source, retryAfterSeconds: Self.seconds(wait))
        case .paused(let wait): self.busy(for: Self.seconds(wait))
        case .tooSlow: .tooSlow(self.source)
        case .tooLarge(let limit): .badAnswer(self.source, reason: "more than \(limit) bytes")
        case .notSent(let reason), .unreachable(let reason): .unavailable(self.source, reason: reason)
        }
    }

    /// What a judge found out, with what follows from it for the next request.
    func failure(judged failure: SourceFailure) -> SourceFailure {
        guard case .busy(_, let seconds) = failure else { return failure }
        return self.busy(for: seconds)
    }

    private func busy(_ answer: UpstreamAnswer) -> SourceFailure {
        if let wait = answer.retryAfter { return self.busy(for: Self.seconds(wait)) }
        let now = self.now()
        let seconds = self.upkeep.withLock { $0.noteBusy(within: Self.pauses, at: now) }
        return .busy(self.source, retryAfterSeconds: seconds)
    }

    private func busy(for seconds: Int) -> SourceFailure {
        let now = self.now()
        self.upkeep.withLock { $0.noteBusy(seconds: seconds, at: now) }
        return .busy(self.source, retryAfterSeconds: seconds)
    }

    /// At least 1.
    private static func seconds(_ wait: Duration) -> Int {
        let (seconds, rest) = wait.components
        return max(1, Int(clamping: seconds) + (rest > 0 ? 1 : 0))
    }

    /// Counts a request of the day; in memory alone when the store fails.
    ///
    /// - Returns: The day; nil when requests are not counted.
    /// - Throws: ``SourceFailure/busy(_:retryAfterSeconds:)``; `CancellationError`.
    private func spend() async throws -> CalendarDate? {
        guard let budget = self.configuration.budget else { return nil }
        let now = self.now()
        let day = budget.day(at: now)
        let isSpent = self.upkeep.withLock { upkeep in
            if upkeep.spent(on: day) >= budget.requests { return true }
            upkeep.spend(on: day)
            return false
        }
        guard !isSpent else { throw SourceFailure.busy(self.source, retryAfterSeconds: budget.secondsLeft(at: now)) }
        if let stored = try await self.withStore({ try await $0.spend(on: day, of: self.source) }) {
            self.upkeep.withLock { $0.note(spent: stored, on: day) }
            guard stored <= budget.requests else {
                throw SourceFailure.busy(self.source, retryAfterSeconds: budget.secondsLeft(at: now))
            }
        }
        return day
    }

    /// Counts a request no more that was not sent.
    private func giveBack(on day: CalendarDate) async throws {
        self.upkeep.withLock { $0.giveBack(on: day) }
        try await self.withStore { try await $0.giveBack(on: day, of: self.source) }
    }

    /// Uses the store, which nothing fails because of.
    ///
    /// - Returns: nil when there is none, or when it fails, which is told once.
    /// - Throws: `CancellationError`.
    func withStore<Value: Sendable>(
        _ body: @Sendable (AnswerStore) async throws -> Value
    ) async throws -> Value? {
        guard let store = self.store else { return nil }
        do {
            let value = try await body(store)
            self.note(storeFailure: nil)
            return value
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            self.note(storeFailure: error)
            return nil
        }
    }

    private func note(storeFailure error: (any Error)?) {
        let hasChanged = self.upkeep.withLock { upkeep in
            defer { upkeep.isStoreFailing = error != nil }
            return upkeep.isStoreFailing != (error != nil)
        }
        guard hasChanged else { return }
        if let error {
            self.logger.warning(
                "Answers of upstreams cannot be kept",
                metadata: ["movie.source": "\(self.source.rawValue)", "error.message": "\(error)"])
        } else {
            self.logger.notice(
                "Answers of upstreams are kept again", metadata: ["movie.source": "\(self.source.rawValue)"])
        }
    }
}

extension UpstreamTransportFailure {
    /// Whether the upstream cannot have got the request.
    fileprivate var isUnsent: Bool {
        switch self {
        case .busy, .paused, .notSent: true
        case .tooSlow, .tooLarge, .unreachable: false
        }
    }
}
