import HTTPSemantics
import Logging
package import MovieDomain
import Synchronization

extension UpstreamClient {
    /// The first and the longest pause after a busy response without `Retry-After`, in seconds; consecutive pauses
    /// double.
    private static let pauses = 2...64

    /// Sends a request within the day's budget, unless the upstream is paused.
    /// - Throws: ``SourceFailure`` if there is no response; `CancellationError`.
    func perform(_ request: UpstreamRequest, etag: String?) async throws -> UpstreamResponse {
        if let seconds = self.state.withLock({ $0.secondsBusy(at: self.now()) }) {
            throw SourceFailure.busy(self.source, retryAfterSeconds: seconds)
        }
        let day = try await self.charge()
        var query = request.query + request.secrets
        var headers: [(name: String, value: String)] = []
        for credential in self.credentials {
            switch credential {
            case .query(let name, let value): query.append((name, value))
            case .header(let name, let value): headers.append((name, value))
            }
        }
        if let etag { headers.append(("If-None-Match", etag)) }
        let url = UpstreamURL.text(base: self.baseURL, path: request.path, query: query)
        let authenticated = AuthenticatedRequest(
            method: request.method, url: url, headers: headers, json: request.json,
            responseBytes: Self.maxResponseBytes, isCounted: day != nil)
        do {
            return try await self.environment.transport.send(authenticated)
        } catch let failure as UpstreamTransportFailure {
            if let day, failure.wasNotSent { try await self.refund(on: day) }
            throw self.failure(failure)
        }
    }

    /// The failure for a status other than 200. Even 401 and 403 do not count as a rejected key, because intermediaries
    /// also send them.
    package func failure(byStatusOf response: UpstreamResponse) -> SourceFailure {
        switch response.status {
        case 429: self.busy(response)
        case 408, 504: .tooSlow(self.source)
        case 503 where response.retryAfter != nil: self.busy(response)
        case 401, 403, 404, 500...: .unavailable(self.source, reason: "status \(response.status)")
        default: .badAnswer(self.source, reason: "status \(response.status)")
        }
    }

    private func failure(_ failure: UpstreamTransportFailure) -> SourceFailure {
        switch failure {
        case .busy(let wait): .busy(self.source, retryAfterSeconds: RetryAfter.seconds(wait))
        case .paused(let wait): self.busy(for: RetryAfter.seconds(wait))
        case .tooSlow: .tooSlow(self.source)
        case .tooLarge(let limit): .badAnswer(self.source, reason: "more than \(limit) bytes")
        case .unreadable(let reason): .badAnswer(self.source, reason: reason)
        case .notSent(let reason), .unreachable(let reason): .unavailable(self.source, reason: reason)
        }
    }

    /// Records the classifier's failure; a busy one pauses the upstream.
    func noting(_ failure: SourceFailure) -> SourceFailure {
        guard case .busy(_, let seconds) = failure else { return failure }
        return self.busy(for: seconds)
    }

    private func busy(_ response: UpstreamResponse) -> SourceFailure {
        if let wait = response.retryAfter { return self.busy(for: RetryAfter.seconds(wait)) }
        let now = self.now()
        let seconds = self.state.withLock { $0.noteBusy(within: Self.pauses, at: now) }
        return .busy(self.source, retryAfterSeconds: seconds)
    }

    private func busy(for seconds: Int) -> SourceFailure {
        let now = self.now()
        self.state.withLock { $0.noteBusy(seconds: seconds, at: now) }
        return .busy(self.source, retryAfterSeconds: seconds)
    }

    /// Charges the day's budget; in memory only if the store fails.
    /// - Returns: The day; `nil` without a budget.
    private func charge() async throws -> CalendarDate? {
        guard let budget = self.budget else { return nil }
        let now = self.now()
        let day = budget.day(at: now)
        if let budgets = self.environment.budgets {
            try await self.charge(budgets, budget, on: day)
            return day
        }
        let isUsedUp = self.state.withLock { state in
            if state.requestCount(on: day) >= budget.requests { return true }
            state.charge(on: day)
            return false
        }
        guard !isUsedUp else { throw SourceFailure.busy(self.source, retryAfterSeconds: budget.secondsLeft(at: now)) }
        if let stored = try await self.withStore({ try await $0.charge(on: day, of: self.source) }) {
            self.state.withLock { $0.note(requestCount: stored, on: day) }
            guard stored <= budget.requests else {
                throw SourceFailure.busy(self.source, retryAfterSeconds: budget.secondsLeft(at: now))
            }
        }
        return day
    }

    /// Charges this node's share of the budget, and counts the request locally.
    private func charge(_ budgets: any SharedDailyBudgets, _ budget: DailyBudget, on day: CalendarDate) async throws {
        var counted = self.state.withLock { $0.requestCount(on: day) }
        if counted == 0 {
            // After a restart, only the store knows the earlier count.
            counted = try await self.withStore { try await $0.requestCount(on: day, of: self.source) } ?? 0
            self.state.withLock { [counted] in $0.note(requestCount: counted, on: day) }
        }
        switch try await budgets.charge(self.source, on: day, budget: budget, counted: counted) {
        case nil: break
        case .usedUp?:
            throw SourceFailure.busy(self.source, retryAfterSeconds: budget.secondsLeft(at: self.now()))
        case .heldByOthers(let seconds)?: throw SourceFailure.busy(self.source, retryAfterSeconds: seconds)
        }
        self.state.withLock { $0.charge(on: day) }
        if let stored = try await self.withStore({ try await $0.charge(on: day, of: self.source) }) {
            self.state.withLock { $0.note(requestCount: stored, on: day) }
        }
    }

    private func refund(on day: CalendarDate) async throws {
        self.environment.budgets?.refund(self.source, on: day)
        self.state.withLock { $0.refund(on: day) }
        try await self.withStore { try await $0.refund(on: day, of: self.source) }
    }

    /// Uses the store. Its failures do not fail requests.
    /// - Returns: `nil` without a store, or if it fails; the first failure and the recovery are logged.
    @discardableResult
    func withStore<Value: Sendable>(
        _ body: @Sendable (ResponseStore) async throws -> Value
    ) async throws -> Value? {
        guard let store = self.environment.store else { return nil }
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
        let hasChanged = self.state.withLock { state in
            defer { state.isStoreFailing = error != nil }
            return state.isStoreFailing != (error != nil)
        }
        guard hasChanged else { return }
        if let error {
            self.environment.logger.warning(
                "Upstream responses cannot be stored",
                metadata: ["movie.source": "\(self.source.rawValue)", "error.message": "\(error)"])
        } else {
            self.environment.logger.notice(
                "Upstream responses are stored again", metadata: ["movie.source": "\(self.source.rawValue)"])
        }
    }
}

extension UpstreamTransportFailure {
    /// Whether the upstream cannot have received the request.
    fileprivate var wasNotSent: Bool {
        switch self {
        case .busy, .paused, .notSent: true
        case .tooSlow, .tooLarge, .unreadable, .unreachable: false
        }
    }
}
