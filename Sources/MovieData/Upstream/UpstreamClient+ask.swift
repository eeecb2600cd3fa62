import Logging
import MovieDomain
import Synchronization

extension UpstreamClient {
    /// How long an upstream is left alone that says that it is busy, and not for how long.
    private static let usualPause: Duration = .seconds(10)

    /// Asks, within the day's budget.
    ///
    /// - Throws: ``SourceFailure`` when nothing was said; `CancellationError`.
    func ask(_ request: UpstreamRequest, etag: String?) async throws -> UpstreamAnswer {
        try await self.spend()
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
            answerBytes: self.configuration.limits.answerBytes)
        do {
            return try await self.transport.send(call)
        } catch let failure as UpstreamTransportFailure {
            throw self.failure(failure)
        }
    }

    /// What a status means that is no answer to the request.
    func failure(byStatusOf answer: UpstreamAnswer) -> SourceFailure {
        switch answer.status {
        case 401, 403: .keyRefused(self.source)
        case 429: self.busy(for: answer.retryAfter ?? Self.usualPause)
        case 408, 504: .tooSlow(self.source)
        case 503 where answer.retryAfter != nil: self.busy(for: answer.retryAfter ?? Self.usualPause)
        case 500...: .unavailable(self.source, reason: "status \(answer.status)")
        default: .badAnswer(self.source, reason: "status \(answer.status)")
        }
    }

    private func failure(_ failure: UpstreamTransportFailure) -> SourceFailure {
        switch failure {
        case .busy(let wait): self.busy(for: wait)
        case .tooSlow: .tooSlow(self.source)
        case .tooLarge(let limit): .badAnswer(self.source, reason: "more than \(limit) bytes")
        case .unreachable(let reason): .unavailable(self.source, reason: reason)
        }
    }

    private func busy(for wait: Duration) -> SourceFailure {
        let (seconds, rest) = wait.components
        return .busy(self.source, retryAfterSeconds: max(1, Int(clamping: seconds) + (rest > 0 ? 1 : 0)))
    }

    /// Counts a request of the day; in memory alone when the store fails.
    ///
    /// - Throws: ``SourceFailure/busy(_:retryAfterSeconds:)``; `CancellationError`.
    private func spend() async throws {
        guard let budget = self.configuration.budget else { return }
        let now = self.now()
        let day = budget.day(at: now)
        let counted = self.upkeep.withLock { $0.spend(on: day) }
        let stored = try await self.withStore { try await $0.spend(on: day, of: self.source) }
        guard max(counted, stored ?? 0) <= budget.requests else {
            throw SourceFailure.busy(self.source, retryAfterSeconds: budget.secondsLeft(at: now))
        }
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
