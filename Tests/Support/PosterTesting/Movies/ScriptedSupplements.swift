public import MovieDomain
import Synchronization

/// Adds what a test says.
public final class ScriptedSupplements: SupplementRepository {
    /// As it was made.
    public let source: MovieSource
    private let answers: Mutex<[String: Result<MovieSupplement, SourceFailure>]>

    /// - Parameter answers: By IMDb's ids.
    public init(source: MovieSource = .omdb, _ answers: [String: Result<MovieSupplement, SourceFailure>]) {
        self.source = source
        self.answers = Mutex(answers)
    }

    /// nil for what a test does not name.
    public func supplement(imdbID: String) async throws -> MovieSupplement? {
        try self.answers.withLock { $0[imdbID] }?.get()
    }
}
