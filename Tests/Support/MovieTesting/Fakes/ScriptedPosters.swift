package import Flights
package import MovieDomain
import Synchronization

/// A source's own pictures, set by a test.
package final class ScriptedPictures: SourcePictureRepository {
    /// The pictures of one film.
    package struct Entry: Sendable {
        package var poster: PosterReference?
        /// `nil` if no other source is to be searched.
        package var film: PosterSearchTerms?
        /// Search terms from lists; `nil` if there are none.
        package var listed: PosterSearchTerms?
        /// Pictures other than the poster.
        package var gallery: [GalleryPicture]

        package init(
            poster: PosterReference? = nil, film: PosterSearchTerms? = nil, listed: PosterSearchTerms? = nil,
            gallery: [GalleryPicture] = []
        ) {
            self.poster = poster
            self.film = film
            self.listed = listed
            self.gallery = gallery
        }
    }

    private struct State {
        var entries: [MovieID: Entry] = [:]
        var choices: [MovieID: [PosterChoice: PosterReference]] = [:]
        var failure: SourceFailure?
        var questions = 0
    }

    package let source: MovieSource
    private let state = Mutex(State())

    package init(_ source: MovieSource) {
        self.source = source
    }

    package func set(_ entry: Entry, for id: MovieID) {
        self.state.withLock { $0.entries[id] = entry }
    }

    /// Sets one of several posters of a film.
    package func set(_ poster: PosterReference, for id: MovieID, as choice: PosterChoice) {
        self.state.withLock { $0.choices[id, default: [:]][choice] = poster }
    }

    /// Makes all following calls fail; `nil` clears the failure.
    package func fail(_ failure: SourceFailure?) {
        self.state.withLock { $0.failure = failure }
    }

    /// The number of poster requests.
    package var questionCount: Int { self.state.withLock { $0.questions } }

    package func sourcePoster(of id: MovieID) async throws -> SourcePoster {
        self.state.withLock { $0.questions += 1 }
        guard let entry = try self.entry(id) else { return .unknown }
        return entry.poster.map { .known($0) } ?? .none
    }

    package func poster(of id: MovieID, as choice: PosterChoice) async throws -> PosterReference? {
        try self.state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.choices[id]?[choice]
        }
    }

    package func refreshedPoster(of id: MovieID, as choice: PosterChoice) async throws -> PosterReference? {
        try await self.poster(of: id, as: choice)
    }

    package func searchTerms(for id: MovieID) async throws -> PosterSearchTerms? { try self.entry(id)?.film }

    package func listedTerms(for id: MovieID) -> PosterSearchTerms? {
        self.state.withLock { $0.entries[id]?.listed }
    }

    package func gallery(of id: MovieID) async throws -> [GalleryPicture]? { try self.entry(id)?.gallery }

    private func entry(_ id: MovieID) throws -> Entry? {
        try self.state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.entries[id]
        }
    }
}

/// A poster finder with candidates set by a test; a gate can delay them.
package final class ScriptedPosterFinder: PosterFinder {
    private struct State {
        var outcome: Result<[PosterCandidate], SourceFailure>
        var questions = 0
    }

    package let source: MovieSource
    private let gate: Gate?
    private let state: Mutex<State>

    /// - Parameter gate: Delays all results until it opens; `nil` answers at once.
    package init(_ source: MovieSource, _ candidates: [PosterCandidate] = [], gate: Gate? = nil) {
        self.source = source
        self.gate = gate
        self.state = Mutex(State(outcome: .success(candidates)))
    }

    /// Sets the outcome of all following calls.
    package func set(_ outcome: Result<[PosterCandidate], SourceFailure>) {
        self.state.withLock { $0.outcome = outcome }
    }

    /// The number of calls.
    package var questionCount: Int { self.state.withLock { $0.questions } }

    package func posters(for film: PosterSearchTerms) async throws -> [PosterCandidate] {
        let outcome = self.state.withLock { state in
            state.questions += 1
            return state.outcome
        }
        try await self.gate?.wait()
        return try outcome.get()
    }
}

/// A film finder with results set by a test.
package final class ScriptedFilmFinder: FilmFinder {
    private struct State {
        var outcome: Result<[FoundFilm], SourceFailure>
        var questions = 0
    }

    package let source: MovieSource
    private let gate: Gate?
    private let state: Mutex<State>

    /// A finder with the same result for every film.
    ///
    /// - Parameter gate: Delays all results until it opens; `nil` answers at once.
    package init(_ source: MovieSource = .tmdb, _ films: [FoundFilm] = [], gate: Gate? = nil) {
        self.source = source
        self.gate = gate
        self.state = Mutex(State(outcome: .success(films)))
    }

    /// Sets the outcome of all following calls.
    package func set(_ outcome: Result<[FoundFilm], SourceFailure>) {
        self.state.withLock { $0.outcome = outcome }
    }

    /// The number of calls.
    package var questionCount: Int { self.state.withLock { $0.questions } }

    package func films(for film: PosterSearchTerms) async throws -> [FoundFilm] {
        try Task.checkCancellation()
        let outcome = self.state.withLock { state in
            state.questions += 1
            return state.outcome
        }
        try await self.gate?.wait()
        return try outcome.get()
    }
}

/// An inspector with results set by a test; all other pictures are 600 by 900.
package final class ScriptedInspector: PictureInspector {
    private struct State {
        var inspections: [PictureLocation: PictureInspection] = [:]
        var looks: [PictureLocation] = []
    }

    private let state = Mutex(State())

    package init() {}

    package func set(_ inspection: PictureInspection, for location: PictureLocation) {
        self.state.withLock { $0.inspections[location] = inspection }
    }

    /// The inspected pictures, in order.
    package var looks: [PictureLocation] { self.state.withLock { $0.looks } }

    package func inspect(_ location: PictureLocation) async throws -> PictureInspection {
        try Task.checkCancellation()
        return self.state.withLock { state in
            state.looks.append(location)
            return state.inspections[location]
                ?? PictureSize(width: 600, height: 900).map { .size($0) } ?? .unusable(reason: "it is empty")
        }
    }
}
