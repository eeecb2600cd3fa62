import Logging
import MovieDomain
import Synchronization

extension UpstreamClient {
    struct Known {
        let response: StoredResponse
        let entry: DecodedValues.Entry
    }

    /// The stored response, unless it exceeds ``UpstreamLifetimes/maxAge`` or this version cannot decode it. Once an
    /// hour, removes all responses that exceed the age.
    ///
    /// - Throws: The errors of ``decoded(_:_:)``, except for undecodable responses.
    func known<Value: Sendable>(
        _ key: String, decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> Known? {
        let now = self.now()
        let oldest = now.adding(.zero - self.lifetimes.maxAge)
        if self.state.withLock({ $0.takeRemoval(at: now) }) {
            try await self.withStore { try await $0.remove(of: self.source, before: oldest) }
        }
        let stored = try await self.withStore { try await $0.response(of: self.source, for: key, at: now) } ?? nil
        guard let stored, stored.storedAt >= oldest else { return nil }
        if stored.status == 404 {
            let entry = DecodedValues.Entry(
                value: nil, storedAt: stored.storedAt, freshUntil: stored.freshUntil, staleUntil: stored.freshUntil,
                byteCount: 0)
            return Known(response: stored, entry: entry)
        }
        do {
            let entry = DecodedValues.Entry(
                value: try await self.decoded(stored.response, decode), storedAt: stored.storedAt,
                freshUntil: stored.freshUntil,
                staleUntil: self.lifetimes.staleUntil(freshUntil: stored.freshUntil, storedAt: stored.storedAt),
                isProvisional: self.isProvisional(stored.response), byteCount: stored.body.count)
            return Known(response: stored, entry: entry)
        } catch SourceFailure.badAnswer {
            self.environment.logger.debug(
                "A stored upstream response is no longer usable", metadata: ["movie.source": "\(self.source.rawValue)"])
            return nil
        }
    }

    private func isProvisional(_ response: UpstreamResponse) -> Bool {
        if case .shortLived = self.classify(response) { true } else { false }
    }

    /// Stores a response.
    ///
    /// - Parameters:
    ///   - value: `nil` if the upstream has no such resource.
    ///   - freshness: `nil` if the response must not be stored; removes the stored one.
    func keep(
        _ value: (any Sendable)?, of response: UpstreamResponse, _ known: Known?, for key: DecodedValues.Key,
        freshness: Duration?, isProvisional: Bool = false
    ) async throws -> DecodedValues.Entry {
        let now = self.now()
        let freshUntil = freshness.map { now.adding($0) } ?? now
        let hasStaleTime = freshness != nil && value != nil
        let entry = DecodedValues.Entry(
            value: value, storedAt: now, freshUntil: freshUntil,
            staleUntil: hasStaleTime
                ? self.lifetimes.staleUntil(freshUntil: freshUntil, storedAt: now) : freshUntil,
            isProvisional: isProvisional, byteCount: response.body.count)
        guard freshness != nil else {
            self.values.remove(key)
            if known != nil { try await self.withStore { try await $0.remove(of: self.source, for: key.text) } }
            return entry
        }
        self.values.keep(entry, for: key)
        let stored = StoredResponse(
            status: response.status, etag: response.etag, storedAt: now, freshUntil: freshUntil, body: response.body)
        try await self.withStore { try await $0.store(stored, of: self.source, for: key.text) }
        return entry
    }

    /// Marks the stored response as fresh after a revalidation.
    func confirm(
        _ known: Known, for key: DecodedValues.Key, freshness: Duration
    ) async throws -> DecodedValues.Entry {
        let now = self.now()
        let freshUntil = now.adding(freshness)
        let entry = DecodedValues.Entry(
            value: known.entry.value, storedAt: now, freshUntil: freshUntil,
            staleUntil: self.lifetimes.staleUntil(freshUntil: freshUntil, storedAt: now),
            isProvisional: known.entry.isProvisional, byteCount: known.entry.byteCount)
        self.values.keep(entry, for: key)
        try await self.withStore { store in
            try await store.refresh(of: self.source, for: key.text, storedAt: now, freshUntil: freshUntil)
        }
        return entry
    }
}
