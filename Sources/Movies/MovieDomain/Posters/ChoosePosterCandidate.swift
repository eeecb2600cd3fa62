/// Chooses a poster for a film among the candidates of several sources.
package struct ChoosePosterCandidate: Sendable {
    package static let inspectionLimit = 8
    /// The maximal number of candidates that a decision lists.
    package static let candidateLimit = 60

    private let finders: [any PosterFinder]
    private let inspector: any PictureInspector
    private let now: @Sendable () -> Instant

    /// - Parameter finders: Queried in this order until one has an acceptable candidate.
    package init(finders: [any PosterFinder], inspector: any PictureInspector, now: @escaping @Sendable () -> Instant) {
        self.finders = finders
        self.inspector = inspector
        self.now = now
    }

    /// - Parameters:
    ///   - failures: Known failures; finders of these sources are not queried again.
    ///   - isGone: Whether a picture is known to have been removed from its origin.
    /// - Throws: `CancellationError`; failures of sources are listed in the decision.
    package func callAsFunction(
        for film: PosterSearchTerms, after failures: [SourceFailure] = [],
        isGone: @Sendable (PictureLocation) -> Bool = { _ in false }
    ) async throws -> PosterDecision {
        var choice = Choice(criteria: PosterCriteria(film), failures: failures)
        for finder in self.finders(for: film) where !failures.contains(where: { $0.source == finder.source }) {
            try Task.checkCancellation()
            do {
                let candidates = try await finder.posters(for: film)
                for candidate in candidates { try await self.judge(candidate, &choice, isGone) }
            } catch let failure as SourceFailure {
                choice.failures.append(failure)
            }
            if choice.chosen != nil { break }
        }
        return self.decision(choice)
    }

    /// Chooses among the first finder's candidates by the terms of a list.
    ///
    /// - Returns: `nil` unless some candidate has the film's title, and all that have it are of the film's year: the
    ///   date of the list may be a rerelease's.
    /// - Throws: ``SourceFailure`` of the finder, `CancellationError`.
    package func first(for film: PosterSearchTerms) async throws -> PosterDecision? {
        guard let finder = self.finders(for: film).first else { return nil }
        let candidates = try await finder.posters(for: film)
        var choice = Choice(criteria: PosterCriteria(film))
        guard choice.criteria.areCertain(candidates) else { return nil }
        for candidate in candidates { try await self.judge(candidate, &choice) { _ in false } }
        return choice.chosen == nil ? nil : self.decision(choice)
    }

    private func finders(for film: PosterSearchTerms) -> [any PosterFinder] {
        self.finders.filter { $0.source != film.id.source }
    }

    private func decision(_ choice: Choice) -> PosterDecision {
        PosterDecision(
            poster: choice.chosen.map { PosterReference($0.location, size: $0.size) },
            source: choice.chosen?.source, candidates: choice.judged, failures: choice.failures,
            decidedAt: self.now())
    }

    /// The state of one call.
    private struct Choice {
        let criteria: PosterCriteria
        var failures: [SourceFailure] = []
        var judged: [PosterDecision.Evaluation] = []
        var chosen: PosterCandidate?
        var inspectionCount = 0

        mutating func note(_ candidate: PosterCandidate, _ verdict: PosterDecision.Verdict) {
            guard self.judged.count < ChoosePosterCandidate.candidateLimit || verdict == .chosen else { return }
            self.judged.append(PosterDecision.Evaluation(candidate, verdict))
        }
    }

    private func judge(
        _ candidate: PosterCandidate, _ choice: inout Choice, _ isGone: (PictureLocation) -> Bool
    ) async throws {
        guard choice.chosen == nil else { return choice.note(candidate, .notNeeded) }
        guard !isGone(candidate.location) else { return choice.note(candidate, .gone) }
        switch choice.criteria.opinion(of: candidate) {
        case .rejected(let reason): choice.note(candidate, .rejected(reason: reason))
        case .acceptable:
            choice.chosen = candidate
            choice.note(candidate, .chosen)
        case .unclear: try await self.inspect(candidate, &choice)
        }
    }

    private func inspect(_ candidate: PosterCandidate, _ choice: inout Choice) async throws {
        guard choice.inspectionCount < Self.inspectionLimit else {
            return choice.note(
                candidate, .rejected(reason: "\(Self.inspectionLimit) others were inspected before it"))
        }
        choice.inspectionCount += 1
        switch try await self.inspector.inspect(candidate.location) {
        case .size(let size):
            if let reason = PosterCriteria.objection(to: size, from: candidate.source) {
                return choice.note(candidate, .rejected(reason: reason))
            }
            let seen = PosterCandidate(
                source: candidate.source, location: candidate.location, title: candidate.title,
                originalTitle: candidate.originalTitle, year: candidate.year, size: size)
            choice.chosen = seen
            choice.note(seen, .chosen)
        case .unusable(let reason): choice.note(candidate, .rejected(reason: reason))
        case .unreachable(let reason):
            choice.note(candidate, .rejected(reason: reason))
            // The picture may be reachable later: the failure shortens the decision's lifetime.
            choice.failures.append(.unavailable(candidate.source, reason: reason))
        }
    }
}
