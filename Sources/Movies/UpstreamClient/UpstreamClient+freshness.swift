import Logging
import MovieDomain
import Synchronization

extension UpstreamClient {
    /// A stored response, decoded.
    private struct Known<Value: Sendable> {
        let response: StoredResponse
        /// nil when the upstream had no such thing.
        let value: Value?

        var decoded: DecodedValues.Decoded { DecodedValues.Decoded(value: self.value) }
    }

    /// The stored response if it is fresh, else a new one, else the stored one although it is stale.
    /// - Parameter oldest: Responses stored before it count as stale.
    func load<Value: Sendable>(
        _ request: UpstreamRequest, for key: DecodedValues.Key, storedSince oldest: Instant?,
        decode: @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> DecodedValues.Decoded {
        let known = try await self.known(key.text, decode: decode)
        let isYoung = oldest.map { oldest in known.map { $0.response.storedAt >= oldest } ?? false } ?? true
        if let known, isYoung, known.response.freshUntil > self.now() {
            self.values.keep(
                known.decoded, for: key, byteCount: known.response.body.count, until: known.response.freshUntil)
            return known.decoded
        }
        do {
            let decoded = try await self.refresh(known, request, for: key, decode: decode)
            self.note(isKeyRefused: false)
            return decoded
        } catch let failure as SourceFailure {
            if case .keyRefused = failure { self.note(isKeyRefused: true) }
            self.environment.logger.info(
                "No answer of an upstream",
                metadata: ["movie.source": "\(self.source.rawValue)", "error.type": "\(failure.kind)"])
            // A refused key is for the operator to correct, and must not go unnoticed.
            if case .keyRefused = failure { throw failure }
            guard let decoded = self.stale(known, for: key) else { throw failure }
            return decoded
        }
    }

    /// Requests and stores; a 304 revalidates the stored response.
    private func refresh<Value: Sendable>(
        _ known: Known<Value>?, _ request: UpstreamRequest, for key: DecodedValues.Key,
        decode: @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> DecodedValues.Decoded {
        let response = try await self.perform(request, etag: known?.response.etag)
        let now = self.now()
        let lifetimes = self.lifetimes
        var freshness = lifetimes.freshness(of: response, requested: request.lifetime)
        if response.status == 304, let known, known.response.status == 200 {
            let freshUntil = now.adding(freshness ?? lifetimes.staleRetryInterval)
            self.values.keep(known.decoded, for: key, byteCount: known.response.body.count, until: freshUntil)
            try await self.withStore { store in
                try await store.refresh(of: self.source, for: key.text, storedAt: now, freshUntil: freshUntil)
            }
            return known.decoded
        }
        let isMissing: Bool
        switch self.classify(response) {
        case .failure(let failure): throw self.noting(failure)
        case .missing where request.isPermanent:
            throw SourceFailure.unavailable(self.source, reason: "it says that it has no such list")
        case .missing: isMissing = true
        case .uncertain: return try self.uncertain(response, known, for: key, decode: decode)
        case .shortLived(let limit):
            guard response.status == 200 else { throw self.failure(byStatusOf: response) }
            isMissing = false
            freshness = freshness.map { min($0, limit) }
        case .byStatus:
            guard response.status == 200 else { throw self.failure(byStatusOf: response) }
            isMissing = false
        }
        self.state.withLock { $0.noteResponse(at: now) }
        if isMissing { freshness = lifetimes.missing }
        let decoded = DecodedValues.Decoded(value: isMissing ? nil : try self.decoded(response, decode))
        guard let freshness else { return decoded }
        let stored = StoredResponse(
            status: isMissing ? 404 : 200, etag: isMissing ? nil : response.etag, storedAt: now,
            freshUntil: now.adding(freshness), body: isMissing ? [] : response.body)
        self.values.keep(decoded, for: key, byteCount: stored.body.count, until: stored.freshUntil)
        try await self.withStore { try await $0.store(stored, of: self.source, for: key.text) }
        return decoded
    }

    /// The stored response unless it is too old to be used stale; it then counts as fresh for
    /// ``UpstreamLifetimes/staleRetryInterval``.
    private func stale<Value: Sendable>(_ known: Known<Value>?, for key: DecodedValues.Key) -> DecodedValues.Decoded? {
        let (now, lifetimes) = (self.now(), self.lifetimes)
        guard let known, known.response.status == 200, known.response.freshUntil.adding(lifetimes.stale) > now else {
            return nil
        }
        self.values.keep(
            known.decoded, for: key, byteCount: known.response.body.count,
            until: now.adding(lifetimes.staleRetryInterval))
        return known.decoded
    }

    /// Logs once each time that the key begins to be refused: clients cannot correct it, and the operator does not see
    /// their errors.
    private func note(isKeyRefused: Bool) {
        let hasBegun = self.state.withLock { state in
            defer { state.isKeyRefused = isKeyRefused }
            return isKeyRefused && !state.isKeyRefused
        }
        guard hasBegun else { return }
        self.environment.logger.warning(
            "An upstream does not accept the key that it is asked with",
            metadata: ["movie.source": "\(self.source.rawValue)"])
    }

    /// The stored response, else the uncertain one, which is cached briefly in memory: many clients may request what is
    /// not there.
    private func uncertain<Value: Sendable>(
        _ response: UpstreamResponse, _ known: Known<Value>?, for key: DecodedValues.Key,
        decode: @Sendable (UpstreamResponse) throws -> Value
    ) throws -> DecodedValues.Decoded {
        if let decoded = self.stale(known, for: key) { return decoded }
        let decoded = DecodedValues.Decoded(value: try self.decoded(response, decode))
        self.values.keep(
            decoded, for: key, byteCount: response.body.count,
            until: self.now().adding(self.lifetimes.uncertain))
        return decoded
    }

    /// The stored response, unless it exceeds ``UpstreamLifetimes/maxAge`` or this version cannot decode it. Removes all
    /// that exceed the age once an hour.
    private func known<Value: Sendable>(
        _ key: String, decode: @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> Known<Value>? {
        let now = self.now()
        let oldest = now.adding(.zero - self.lifetimes.maxAge)
        if self.state.withLock({ $0.takeRemoval(at: now) }) {
            try await self.withStore { try await $0.remove(of: self.source, before: oldest) }
        }
        let stored = try await self.withStore { try await $0.response(of: self.source, for: key, at: now) } ?? nil
        guard let stored, stored.storedAt >= oldest else { return nil }
        if stored.status == 404 { return Known(response: stored, value: nil) }
        do {
            return Known(response: stored, value: try decode(stored.response))
        } catch {
            self.environment.logger.debug(
                "A kept answer is of no use any more", metadata: ["movie.source": "\(self.source.rawValue)"])
            return nil
        }
    }

    private func decoded<Value: Sendable>(
        _ response: UpstreamResponse, _ decode: @Sendable (UpstreamResponse) throws -> Value
    ) throws -> Value {
        do {
            return try decode(response)
        } catch let failure as SourceFailure {
            throw failure
        } catch {
            // Other errors may quote the response, which must not be logged.
            let reason = (error as? UnreadableResponse)?.description ?? "\(type(of: error))"
            throw SourceFailure.badAnswer(self.source, reason: reason)
        }
    }
}

extension SourceFailure {
    /// For logs and metrics: of few values.
    fileprivate var kind: String {
        switch self {
        case .off: "off"
        case .keyRefused: "key_refused"
        case .busy: "busy"
        case .tooSlow: "too_slow"
        case .unavailable: "unavailable"
        case .badAnswer: "bad_answer"
        }
    }
}
