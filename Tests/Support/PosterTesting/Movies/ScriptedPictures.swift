public import MovieDomain
import Synchronization

/// What a source has of its own pictures, as a test says.
public final class ScriptedPictures: SourcePictureRepository {
    /// What is known of one id.
    public struct Entry: Sendable {
        /// nil when there is none.
        public var poster: PosterReference?
        /// nil when nobody else is to be asked.
        public var film: PosterSearchTerms?
        /// Beside the poster.
        public var gallery: [GalleryPicture]

        /// What is known of one id.
        public init(poster: PosterReference? = nil, film: PosterSearchTerms? = nil, gallery: [GalleryPicture] = []) {
            self.poster = poster
            self.film = film
            self.gallery = gallery
        }
    }

    private struct State {
        var entries: [MovieID: Entry] = [:]
        var failure: SourceFailure?
        var questions = 0
    }

    /// Whose pictures they are.
    public let source: MovieSource
    private let state = Mutex(State())

    /// Knows nothing.
    public init(_ source: MovieSource) {
        self.source = source
    }

    /// Lets it know this.
    public func set(_ entry: Entry, for id: MovieID) {
        self.state.withLock { $0.entries[id] = entry }
    }

    /// Lets it fail from now on; nil lets it answer.
    public func fail(_ failure: SourceFailure?) {
        self.state.withLock { $0.failure = failure }
    }

    /// How often it was asked for a poster.
    public var questionCount: Int { self.state.withLock { $0.questions } }

    /// As it was set.
    public func sourcePoster(of id: MovieID) async throws -> SourcePoster {
        self.state.withLock { $0.questions += 1 }
        guard let entry = try self.entry(id) else { return .unknown }
        return entry.poster.map { .known($0) } ?? .none
    }

    /// As it was set.
    public func searchTerms(for id: MovieID) async throws -> PosterSearchTerms? { try self.entry(id)?.film }

    /// As it was set.
    public func gallery(of id: MovieID) async throws -> [GalleryPicture]? { try self.entry(id)?.gallery }

    private func entry(_ id: MovieID) throws -> Entry? {
        try self.state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.entries[id]
        }
    }
}
