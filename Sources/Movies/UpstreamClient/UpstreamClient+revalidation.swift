import BoundedCache
import Flights
import HTTPSemantics
import MovieDomain
import Synchronization

extension UpstreamClient {
    /// The stored response while it can be used, else a new one; a stale one is revalidated in the background.
    func value<Value: Sendable>(
        _ request: UpstreamRequest, for key: DecodedValues.Key, notOlderThan age: Duration? = nil,
        decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> Value? {
        let oldest = age.map { self.now().adding(.zero - $0) }
        if oldest == nil, let entry = self.values.entry(for: key)?.settled(by: request, at: self.now()),
            self.isUsable(entry, for: key)
        {
            return self.use(entry, request, for: key, decode: decode).value as? Value
        }
        try Task.checkCancellation()
        let flight = oldest == nil ? key : DecodedValues.Key(text: "refreshed \(key.text)", type: key.type)
        let shared = try await self.flights.value(for: flight, level: Urgency.current?.level ?? .interactive) { _ in
            try await self.load(request, for: key, storedSince: oldest, decode: decode)
        }
        return self.use(shared.value, request, for: key, decode: decode).value as? Value
    }

    /// Whether a client gets it without waiting: it is fresh; or stale, but neither provisional nor of an upstream that refuses
    /// the key; or its revalidation failed lately.
    func isUsable(_ entry: DecodedValues.Entry, for key: DecodedValues.Key) -> Bool {
        let now = self.now()
        if entry.freshUntil > now { return true }
        guard entry.staleUntil > now else { return false }
        if let failed = self.failures.value(for: key), failed.retryAt > now, !failed.isKeyRefused { return true }
        return !entry.isProvisional && !self.state.withLock { $0.isKeyRefused }
    }

    /// Records that the current response is made of a stale entry, and revalidates that in the background unless this failed
    /// lately.
    ///
    /// Outside of flights: those are shared by several responses, each of which has a recorder of its own.
    func use<Value: Sendable>(
        _ entry: DecodedValues.Entry, _ request: UpstreamRequest, for key: DecodedValues.Key,
        decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) -> DecodedValues.Entry {
        let now = self.now()
        guard entry.freshUntil <= now, entry.staleUntil > now else { return entry }
        let failed = self.failures.value(for: key)
        if failed.map({ $0.retryAt <= now }) ?? true {
            // What another request has stored since counts, too.
            let oldest = entry.storedAt.adding(.seconds(1))
            self.revalidations.start(key, for: key) {
                await Self.inBackground {
                    try await self.load(request, for: key, storedSince: oldest, decode: decode)
                }
            }
        }
        FreshnessRecorder.current?.record(
            Staleness(
                seconds: now.secondsSince1970 - entry.freshUntil.secondsSince1970,
                reason: failed == nil ? .revalidating : .originFailed),
            age: now.secondsSince1970 - entry.storedAt.secondsSince1970)
        return entry
    }

    /// Runs work that belongs to no response, and is urgent to no client. Its failures are logged and remembered by
    /// ``load(_:for:storedSince:decode:)``; ``close()`` cancels it.
    ///
    /// Tasks have the task-local values of the response that starts them.
    static func inBackground<Value>(_ body: () async throws -> Value) async {
        await FreshnessRecorder.$current.withValue(nil) {
            await Supplement.$isCurrent.withValue(false) {
                await Urgency.$current.withValue(Urgency(.revalidation)) { _ = try? await body() }
            }
        }
    }
}
