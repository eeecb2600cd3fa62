import Logging
import MovieDomain
import Synchronization

extension UpstreamClient {
    /// A kept answer and what it means.
    private struct Known<Value: Sendable> {
        let answer: KeptAnswer
        /// nil for what is known not to be.
        let value: Value?

        var decoded: DecodedValues.Decoded { DecodedValues.Decoded(value: self.value) }
    }

    /// What is known, else what is said now, else what was known.
    func load<Value: Sendable>(
        _ request: UpstreamRequest, for key: DecodedValues.Key, keptSince oldest: Instant? = nil,
        decode: @Sendable (UpstreamAnswer) throws -> Value
    ) async throws -> DecodedValues.Decoded {
        let known = try await self.known(key.text, decode: decode)
        let isYoung = oldest.map { oldest in known.map { $0.answer.keptAt >= oldest } ?? false } ?? true
        if let known, isYoung, known.answer.freshUntil > self.now() {
            self.values.keep(
                known.decoded, for: key, byteCount: known.answer.body.count, until: known.answer.freshUntil)
            return known.decoded
        }
        do {
            let decoded = try await self.renew(known, request, for: key, decode: decode)
            self.note(isKeyRefused: false)
            return decoded
        } catch let failure as SourceFailure {
            if case .keyRefused = failure { self.note(isKeyRefused: true) }
            self.logger.info(
                "No answer of an upstream",
                metadata: ["movie.source": "\(self.source.rawValue)", "error.type": "\(failure.kind)"])
            return try self.stale(known, for: key, because: failure)
        }
    }

    private func renew<Value: Sendable>(
        _ known: Known<Value>?, _ request: UpstreamRequest, for key: DecodedValues.Key,
        decode: @Sendable (UpstreamAnswer) throws -> Value
    ) async throws -> DecodedValues.Decoded {
        let answer = try await self.ask(request, etag: known?.answer.etag)
        let now = self.now()
        if answer.status == 304, let known, known.answer.status == 200 {
            let freshUntil = now.adding(self.freshness(of: answer, request) ?? self.configuration.lifetimes.staleRest)
            self.values.keep(known.decoded, for: key, byteCount: known.answer.body.count, until: freshUntil)
            try await self.withStore { store in
                try await store.renew(of: self.source, for: key.text, keptAt: now, freshUntil: freshUntil)
            }
            return known.decoded
        }
        let isMissing: Bool
        var freshness = self.freshness(of: answer, request)
        switch self.judge(answer) {
        case .failure(let failure): throw self.failure(judged: failure)
        case .missing: isMissing = true
        case .doubtful: return try self.doubtful(answer, known, for: key, decode: decode)
        case .passing(let limit):
            isMissing = false
            freshness = freshness.map { min($0, limit) }
        case .asItsStatusSays:
            guard [200, 404].contains(answer.status) else { throw self.failure(byStatusOf: answer) }
            isMissing = answer.status == 404
        }
        self.upkeep.withLock { $0.noteAnswer(at: now) }
        if isMissing { freshness = self.configuration.lifetimes.missing }
        let decoded = DecodedValues.Decoded(value: isMissing ? nil : try self.decoded(answer, decode))
        guard let freshness else { return decoded }
        let kept = KeptAnswer(
            status: isMissing ? 404 : 200, etag: isMissing ? nil : answer.etag, keptAt: now,
            freshUntil: now.adding(freshness), body: isMissing ? [] : answer.body)
        self.values.keep(decoded, for: key, byteCount: kept.body.count, until: kept.freshUntil)
        try await self.withStore { try await $0.keep(kept, of: self.source, for: key.text) }
        return decoded
    }

    private func stale<Value: Sendable>(
        _ known: Known<Value>?, for key: DecodedValues.Key, because failure: SourceFailure
    ) throws -> DecodedValues.Decoded {
        // A key that is refused is for somebody to mend, and is not to go unnoticed.
        if case .keyRefused = failure { throw failure }
        guard let decoded = self.stale(known, for: key) else { throw failure }
        return decoded
    }

    /// What is kept, if it is not too old to be told; nobody asks again for a moment.
    private func stale<Value: Sendable>(_ known: Known<Value>?, for key: DecodedValues.Key) -> DecodedValues.Decoded? {
        let (now, lifetimes) = (self.now(), self.configuration.lifetimes)
        guard let known, known.answer.status == 200, known.answer.freshUntil.adding(lifetimes.stale) > now else {
            return nil
        }
        self.values.keep(
            known.decoded, for: key, byteCount: known.answer.body.count, until: now.adding(lifetimes.staleRest))
        return known.decoded
    }

    /// Clients cannot mend it, and whoever runs the service does not see what they are told.
    private func note(isKeyRefused: Bool) {
        let hasBegun = self.upkeep.withLock { upkeep in
            defer { upkeep.isKeyRefused = isKeyRefused }
            return isKeyRefused && !upkeep.isKeyRefused
        }
        guard hasBegun else { return }
        self.logger.warning(
            "An upstream does not accept the key that it is asked with",
            metadata: ["movie.source": "\(self.source.rawValue)"])
    }

    /// What is kept, else an answer that may be wrong, which is remembered for a moment: many may ask for what is not there.
    private func doubtful<Value: Sendable>(
        _ answer: UpstreamAnswer, _ known: Known<Value>?, for key: DecodedValues.Key,
        decode: @Sendable (UpstreamAnswer) throws -> Value
    ) throws -> DecodedValues.Decoded {
        if let decoded = self.stale(known, for: key) { return decoded }
        let decoded = DecodedValues.Decoded(value: try self.decoded(answer, decode))
        self.values.keep(
            decoded, for: key, byteCount: answer.body.count,
            until: self.now().adding(self.configuration.lifetimes.doubtful))
        return decoded
    }

    private func freshness(of answer: UpstreamAnswer, _ request: UpstreamRequest) -> Duration? {
        self.configuration.lifetimes.freshness(of: answer, wish: request.lifetime)
    }

    /// What is kept, unless it is too old, or cannot be decoded by this version of the program.
    private func known<Value: Sendable>(
        _ key: String, decode: @Sendable (UpstreamAnswer) throws -> Value
    ) async throws -> Known<Value>? {
        let now = self.now()
        let oldest = now.adding(.zero - self.configuration.lifetimes.maxKept)
        if self.upkeep.withLock({ $0.takeRemoval(at: now) }) {
            try await self.withStore { try await $0.remove(of: self.source, before: oldest) }
        }
        let kept = try await self.withStore { try await $0.answer(of: self.source, for: key, at: now) } ?? nil
        guard let kept, kept.keptAt >= oldest else { return nil }
        if kept.status == 404 { return Known(answer: kept, value: nil) }
        do {
            return Known(answer: kept, value: try decode(kept.answer))
        } catch {
            self.logger.debug(
                "A kept answer is of no use any more", metadata: ["movie.source": "\(self.source.rawValue)"])
            return nil
        }
    }

    private func decoded<Value: Sendable>(
        _ answer: UpstreamAnswer, _ decode: @Sendable (UpstreamAnswer) throws -> Value
    ) throws -> Value {
        do {
            return try decode(answer)
        } catch let failure as SourceFailure {
            throw failure
        } catch {
            throw SourceFailure.badAnswer(self.source, reason: AnswerTrouble.words(for: error))
        }
    }
}
