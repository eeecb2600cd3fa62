import BoundedCache
import Logging
import MovieDomain
import Synchronization

extension UpstreamClient {
    /// Loads the stored response if it is usable, else a new one, else the stored one although it is stale.
    ///
    /// Does not read ``HTTPSemantics/FreshnessRecorder/current`` or ``Supplement/isCurrent``, because several responses
    /// share a load.
    /// - Parameter oldest: Accepts only a fresh response stored at or after this time; `nil` for any usable one.
    func load<Value: Sendable>(
        _ request: UpstreamRequest, for key: DecodedValues.Key, storedSince oldest: Instant?,
        decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> DecodedValues.Entry {
        let known = try await self.known(key.text, decode: decode).map {
            Known(response: $0.response, entry: $0.entry.settled(by: request, at: self.now()))
        }
        if let entry = known?.entry,
            oldest.map({ entry.storedAt >= $0 && entry.freshUntil > self.now() }) ?? self.isUsable(entry, for: key)
        {
            self.values.keep(entry, for: key)
            return entry
        }
        let failed: FailedRequest
        do {
            let entry = try await self.refresh(known, request, for: key, decode: decode)
            self.failures.remove(key)
            self.note(isKeyRefused: false)
            return entry
        } catch let failure as FailedRequest {
            failed = failure
        } catch let failure as SourceFailure {
            failed = FailedRequest(
                failure: failure, retryAt: self.now().adding(self.lifetimes.staleRetryInterval),
                missingSince: self.failures.value(for: key)?.missingSince)
        }
        self.failures.insert(failed, for: key)
        self.environment.logger.info(
            "An upstream request failed",
            metadata: [
                "movie.source": "\(self.source.rawValue)", "error.type": "\(failed.failure.kind)",
                "error.message": "\(failed.failure.reason)",
            ])
        // Only the operator can correct a rejected key, so the failure must not go unnoticed.
        if failed.isKeyRefused {
            self.note(isKeyRefused: true)
            throw failed.failure
        }
        guard let copy = self.copy(known, for: key) else { throw failed.failure }
        self.values.keep(copy, for: key)
        return copy
    }

    /// The fallback while the upstream fails: the stored response, or the one in memory, unless it is too old.
    private func copy(_ known: Known?, for key: DecodedValues.Key) -> DecodedValues.Entry? {
        guard let entry = known?.entry ?? self.values.entry(for: key), entry.value != nil,
            entry.staleUntil > self.now()
        else { return nil }
        return entry
    }

    /// Requests and stores a response; a 304 revalidates the stored one.
    /// - Throws: ``FailedRequest`` with the time of the next attempt, ``SourceFailure``, `CancellationError`.
    private func refresh<Value: Sendable>(
        _ known: Known?, _ request: UpstreamRequest, for key: DecodedValues.Key,
        decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> DecodedValues.Entry {
        let response = try await self.perform(request, etag: known?.response.etag)
        let freshness = self.lifetimes.freshness(of: response, requested: request.lifetime)
        if response.status == 304, let known, known.response.status == 200 {
            var confirmed = freshness ?? self.lifetimes.staleRetryInterval
            if case .shortLived(let limit) = self.classify(known.response.response) {
                confirmed = min(confirmed, limit)
            }
            return try await self.confirm(known, for: key, freshness: confirmed)
        }
        if request.isRefusal?(response) == true, self.copy(known, for: key) == nil {
            self.state.withLock { $0.noteResponse(at: self.now()) }
            return try await self.uncertain(response, known, for: key, decode: decode)
        }
        switch self.classify(response) {
        case .failure(let failure): throw self.noting(failure)
        case .missing where request.isPermanent:
            throw SourceFailure.unavailable(self.source, reason: "the list does not exist at the upstream")
        case .missing:
            self.state.withLock { $0.noteResponse(at: self.now()) }
            if self.copy(known, for: key) != nil { try self.noteMissing(key) }
            let none = UpstreamResponse(status: 404)
            return try await self.keep(nil, of: none, known, for: key, freshness: self.lifetimes.missing)
        case .uncertain:
            return try await self.uncertain(self.reduced(response, by: request), known, for: key, decode: decode)
        case .shortLived(let limit):
            let response = try await self.reduced(response, by: request)
            let value = try await self.result(response, decode)
            return try await self.keep(
                value, of: response, known, for: key, freshness: freshness.map { min($0, limit) }, isProvisional: true)
        case .byStatus:
            let response = try await self.reduced(response, by: request)
            let value = try await self.result(response, decode)
            return try await self.keep(value, of: response, known, for: key, freshness: freshness)
        }
    }

    /// Accepts a missing resource, although a response is stored, only if it is still missing after
    /// ``UpstreamLifetimes/missing``.
    /// - Throws: ``FailedRequest`` until then.
    private func noteMissing(_ key: DecodedValues.Key) throws {
        let now = self.now()
        let since = self.failures.value(for: key)?.missingSince ?? now
        guard now < since.adding(self.lifetimes.missing) else { return }
        throw FailedRequest(
            failure: .unavailable(self.source, reason: "the resource no longer exists at the upstream"),
            retryAt: now.adding(self.lifetimes.staleRetryInterval), missingSince: since)
    }

    /// Logs once when the upstream begins to reject the key: clients cannot correct it, and the operator does not see
    /// their errors.
    private func note(isKeyRefused: Bool) {
        let hasBegun = self.state.withLock { state in
            defer { state.isKeyRefused = isKeyRefused }
            return isKeyRefused && !state.isKeyRefused
        }
        guard hasBegun else { return }
        self.environment.logger.warning(
            "An upstream rejects the configured key",
            metadata: ["movie.source": "\(self.source.rawValue)"])
    }

    /// Caches a response that may be wrong (``ResponseClassification/uncertain``) in memory for a short time: many
    /// clients may request a missing resource.
    /// - Throws: ``FailedRequest`` if a stored response is usable.
    private func uncertain<Value: Sendable>(
        _ response: UpstreamResponse, _ known: Known?, for key: DecodedValues.Key,
        decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> DecodedValues.Entry {
        let now = self.now()
        let end = now.adding(self.lifetimes.uncertain)
        guard self.copy(known, for: key) == nil else {
            throw FailedRequest(
                failure: .badAnswer(self.source, reason: "the response may be a refusal"), retryAt: end,
                missingSince: self.failures.value(for: key)?.missingSince)
        }
        let entry = DecodedValues.Entry(
            value: try await self.decoded(response, decode), storedAt: now, freshUntil: end, staleUntil: end,
            byteCount: response.body.count)
        self.values.keep(entry, for: key)
        return entry
    }

    private func result<Value: Sendable>(
        _ response: UpstreamResponse, _ decode: @escaping @Sendable (UpstreamResponse) throws -> Value
    ) async throws -> Value {
        guard response.status == 200 else { throw self.failure(byStatusOf: response) }
        self.state.withLock { $0.noteResponse(at: self.now()) }
        return try await self.decoded(response, decode)
    }

    /// Reduces a response to the part that the request needs.
    private func reduced(_ response: UpstreamResponse, by request: UpstreamRequest) async throws -> UpstreamResponse {
        guard response.status == 200, let reduce = request.reduce else { return response }
        var part = response
        part.body = try await self.decoded(response, reduce)
        return part
    }
}

extension SourceFailure {
    /// The kind for logs and metrics, with few values.
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

    /// The reason for logs; empty if the kind is sufficient.
    fileprivate var reason: String {
        switch self {
        case .unavailable(_, let reason), .badAnswer(_, let reason): reason
        case .off, .keyRefused, .busy, .tooSlow: ""
        }
    }
}
