import BoundedCache
import Flights
import HTTPSemantics
import MovieDomain

extension UpstreamClient {
    /// Like ``value(_:for:notOlderThan:decode:)``, within the time that the response has for supplements; a late value
    /// is stored for the next response. After a timeout or failure, responses do not wait for the supplement until it
    /// has been received. Supplements beyond the response's limit are left to the next response.
    ///
    /// - Throws: ``SourceFailure``, which the response's ``FreshnessRecorder`` records as a gap; `CancellationError`.
    func supplement<Value: Sendable>(
        _ request: UpstreamRequest, for key: DecodedValues.Key,
        decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> Value? {
        if let entry = try await self.usableEntry(for: key, decode: decode) {
            return self.use(entry, request, for: key, decode: decode).value as? Value
        }
        guard self.isAdmitted(key) else {
            FreshnessRecorder.current?.recordGap()
            throw SourceFailure.tooSlow(self.source)
        }
        do {
            return try await self.requestedSupplement(request, for: key, decode: decode)
        } catch let failure as SourceFailure {
            if self.failures.value(for: key) == nil {
                self.failures.insert(FailedRequest(failure: failure, retryAt: self.now()), for: key)
            }
            FreshnessRecorder.current?.recordGap()
            throw failure
        }
    }

    /// Whether the response may wait for a supplement. A request already in flight for another response does not count,
    /// and a recently failed one is not repeated.
    private func isAdmitted(_ key: DecodedValues.Key) -> Bool {
        guard let recorder = FreshnessRecorder.current, self.flights.waiterCount(for: key) == 0 else { return true }
        if let failed = self.failures.value(for: key), failed.retryAt > self.now() { return true }
        return recorder.admitsSupplement(key.text)
    }

    private func requestedSupplement<Value: Sendable>(
        _ request: UpstreamRequest, for key: DecodedValues.Key,
        decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> Value? {
        let failed = self.failures.value(for: key)
        if let failed, failed.retryAt > self.now() { throw failed.failure }
        // Joins the flight before this task can leave it: the last waiter's departure would cancel the request.
        self.lateSupplements.start(key, for: key) {
            // Not if this task's request has already failed.
            guard self.failures.value(for: key).map({ $0.retryAt <= self.now() }) ?? true else { return }
            await Self.inBackground { try await self.value(request, for: key, decode: decode) }
        }
        if let failed { throw failed.failure }
        let total = self.environment.supplementTimeout
        let left = FreshnessRecorder.current?.supplementTime(of: total) ?? total
        guard left > .zero else { throw SourceFailure.tooSlow(self.source) }
        return try await withTimeout(
            left, throwing: SourceFailure.tooSlow(self.source), sleep: self.environment.sleep
        ) {
            try await self.value(request, for: key, decode: decode)
        }
    }

    /// The usable entry in memory or the store.
    private func usableEntry<Value: Sendable>(
        for key: DecodedValues.Key, decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> DecodedValues.Entry? {
        if let entry = self.values.entry(for: key), self.isUsable(entry, for: key) { return entry }
        do {
            guard let entry = try await self.known(key.text, decode: decode)?.entry, self.isUsable(entry, for: key)
            else { return nil }
            self.values.keep(entry, for: key)
            return entry
        } catch let failure as SourceFailure {
            FreshnessRecorder.current?.recordGap()
            throw failure
        }
    }
}
