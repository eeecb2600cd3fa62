import BoundedCache
import Flights
import HTTPSemantics
import MovieDomain
import Synchronization

extension UpstreamClient {
    /// Returns the stored response while it is usable, else a new one; a stale one is revalidated in the background.
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

    /// Whether a client gets the entry without waiting: if it is fresh; or stale, but not provisional and the upstream
    /// does not reject the key; or its revalidation failed recently.
    func isUsable(_ entry: DecodedValues.Entry, for key: DecodedValues.Key) -> Bool {
        let now = self.now()
        if entry.freshUntil > now { return true }
        guard entry.staleUntil > now else { return false }
        if let failed = self.failures.value(for: key), failed.retryAt > now, !failed.isKeyRefused { return true }
        return !entry.isProvisional && !self.state.withLock { $0.isKeyRefused }
    }

    /// Records that the current response uses a stale entry, and revalidates it in the background unless that failed
    /// recently.
    ///
    /// Outside flights, which are shared by several responses with a recorder each.
    func use<Value: Sendable>(
        _ entry: DecodedValues.Entry, _ request: UpstreamRequest, for key: DecodedValues.Key,
        decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) -> DecodedValues.Entry {
        let now = self.now()
        guard entry.freshUntil <= now, entry.staleUntil > now else { return entry }
        let failed = self.failures.value(for: key)
        if failed.map({ $0.retryAt <= now }) ?? true {
            // A response that another request has stored since then suffices.
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

    /// Runs work that belongs to no response, with the urgency of a revalidation. ``load(_:for:storedSince:decode:)``
    /// logs and records its failures; ``close()`` cancels it.
    ///
    /// Resets the task-local values that the task inherits from the response that starts it.
    static func inBackground<Value>(_ body: () async throws -> Value) async {
        await FreshnessRecorder.$current.withValue(nil) {
            await Supplement.$isCurrent.withValue(false) {
                await Urgency.$current.withValue(Urgency(.revalidation)) { _ = try? await body() }
            }
        }
    }
}
