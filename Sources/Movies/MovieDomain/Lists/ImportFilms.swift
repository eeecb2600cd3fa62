/// Adds the films of an imported list to a list of a user.
package struct ImportFilms: Sendable {
    package struct Limits: Sendable {
        /// The number of requests at sources: searches, and lookups by id except in the embedded catalogue. Rows that
        /// need more are not tried.
        package var requests = 400
        /// The number of rows that are handled concurrently.
        package var atOnce = 4
        /// The number of failures after which no further rows are tried.
        package var failures = 3

        package init() {}
    }

    /// The result of a row.
    package enum Outcome: Hashable, Sendable {
        case added
        /// The film was on the list before.
        case known
        /// The row has neither a title nor a valid id.
        case empty
        /// No film has the ids, or the title and about the year.
        case unmatched
        /// Several films have the title and about the year.
        case ambiguous([MovieSummary])
        /// The list has as many films as it may; further rows are not tried.
        case full(limit: Int)
        /// The source or the storage failed.
        case failed
        /// Time, requests or failures reached their limit before.
        case untried
    }

    package struct Result: Hashable, Sendable {
        package let row: ImportRow
        package let outcome: Outcome
    }

    /// The number of films named for an ambiguous row.
    private static let choiceLimit = 5

    private let catalogue: any MovieCatalogue
    private let limits: Limits
    private let isOver: @Sendable () -> Bool

    /// - Parameters:
    ///   - catalogue: Finds films by title.
    ///   - isOver: Whether the time is over; rows that have begun are completed.
    package init(
        _ catalogue: any MovieCatalogue, limits: Limits = Limits(), isOver: @escaping @Sendable () -> Bool
    ) {
        self.catalogue = catalogue
        self.limits = limits
        self.isOver = isOver
    }

    /// Films are matched by their ids, else by title and year.
    ///
    /// - Returns: The results in the order of the rows.
    /// - Throws: ``AccountFailure/sessionExpired``, `CancellationError`; films that were added before stay.
    package func callAsFunction(
        _ rows: [ImportRow], into films: SavedFilms, language: LanguagePreference, for holder: AuthenticatedSession
    ) async throws -> [Result] {
        var outcomes: [Int: Outcome] = [:]
        var full: Outcome?
        let budget = RequestBudget(self.limits.requests)
        try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            var (failureCount, runningCount) = (0, 0)
            func complete() async throws {
                guard let (place, outcome) = try await group.next() else { return }
                runningCount -= 1
                if outcome == .failed { failureCount += 1 }
                if case .full = outcome { full = outcome }
                outcomes[place] = outcome
            }
            for (place, row) in rows.enumerated() {
                try Task.checkCancellation()
                if runningCount >= self.limits.atOnce { try await complete() }
                if full != nil || failureCount >= self.limits.failures || self.isOver() { break }
                group.addTask { (place, try await self.outcome(of: row, within: budget, films, language, holder)) }
                runningCount += 1
            }
            while runningCount > 0 { try await complete() }
        }
        return rows.enumerated().map { Result(row: $1, outcome: outcomes[$0] ?? full ?? .untried) }
    }

    private func outcome(
        of row: ImportRow, within budget: RequestBudget, _ films: SavedFilms, _ language: LanguagePreference,
        _ holder: AuthenticatedSession
    ) async throws -> Outcome {
        guard !row.isEmpty else { return .empty }
        do {
            for id in row.ids {
                if let outcome = try await self.put(id, row, within: budget, films, language, holder) { return outcome }
            }
            guard !row.titles.isEmpty else { return .unmatched }
            let found = try await self.search(row, within: budget, language)
            guard let film = found.first else { return .unmatched }
            guard found.count == 1 else { return .ambiguous(Array(found.prefix(Self.choiceLimit))) }
            return try await self.put(film.id, row, within: budget, films, language, holder) ?? .unmatched
        } catch is RequestBudget.Exhausted {
            return .untried
        } catch is SourceFailure {
            return .failed
        } catch is StorageFailure {
            return .failed
        } catch let failure as AccountFailure {
            // Every further row would fail; the visitor must sign in again.
            if failure == .sessionExpired { throw failure }
            return .failed
        }
    }

    /// - Returns: `nil` if no configured source has the film.
    private func put(
        _ id: MovieID, _ row: ImportRow, within budget: RequestBudget, _ films: SavedFilms,
        _ language: LanguagePreference, _ holder: AuthenticatedSession
    ) async throws -> Outcome? {
        let isCharged = id.source != .embedded
        if isCharged { try await budget.charge() }
        do {
            return try await films.put(id, language: language, addedAt: row.addedAt, for: holder).isNew
                ? .added : .known
        } catch AddFavourite.Failure.unknownMovie {
            return nil
        } catch AddFavourite.Failure.tooMany(let limit) {
            return .full(limit: limit)
        } catch SourceFailure.off {
            if isCharged { await budget.refund() }
            return nil
        }
    }

    /// The films that match the row: searches in the reader's language with the year, then in English without it, since
    /// files of other services have English titles, and years of their own.
    private func search(
        _ row: ImportRow, within budget: RequestBudget, _ language: LanguagePreference
    ) async throws -> [MovieSummary] {
        let attempts: [(title: String?, year: Int?, language: LanguagePreference)] = [
            (row.titles.first, row.year, language), (row.titles.last, nil, LanguagePreference([.english])),
        ]
        for (title, year, language) in attempts {
            guard let query = title.flatMap({ MovieQuery($0, year: year) }) else { continue }
            try await budget.charge()
            let found = try await self.catalogue.search(query, page: 1, language: language).results
            let matches = row.matches(among: found)
            if !matches.isEmpty { return matches }
        }
        return []
    }
}

/// Counts the requests of an import at sources.
private actor RequestBudget {
    struct Exhausted: Error {}

    private var remaining: Int

    init(_ limit: Int) {
        self.remaining = limit
    }

    func charge() throws(Exhausted) {
        guard self.remaining > 0 else { throw Exhausted() }
        self.remaining -= 1
    }

    /// Reverts a charge for a request that was not sent.
    func refund() { self.remaining += 1 }
}

extension ImportRow {
    /// The films with one of the titles, and a year at most ``PosterCriteria/yearTolerance`` apart; only the ones of
    /// exactly the year if there are any.
    func matches(among films: [MovieSummary]) -> [MovieSummary] {
        let titles = Set(self.titles.map(FoldedTitle.init))
        var seen: Set<MovieID> = []
        let namesakes = films.filter { film in
            [film.title, film.originalTitle].contains { titles.contains(FoldedTitle($0)) }
                && seen.insert(film.id).inserted
        }
        guard let year = self.year else { return namesakes }
        let near = namesakes.filter { film in
            film.year.map { abs($0 - year) <= PosterCriteria.yearTolerance } ?? false
        }
        let exact = near.filter { $0.year == year }
        return exact.isEmpty ? near : exact
    }
}
