/// A source that adds to what another tells of a film.
public protocol SupplementRepository: Sendable {
    /// Whose facts they are.
    var source: MovieSource { get }

    /// nil when it knows no such film.
    ///
    /// - Parameter imdbID: Such as `tt0133093`.
    /// - Throws: ``SourceFailure``, `CancellationError`.
    func supplement(imdbID: String) async throws -> MovieSupplement?
}

/// What one source adds to another's film.
public struct MovieSupplement: Hashable, Sendable {
    /// What others think.
    public let scores: [ExternalScore]
    /// For whom it is fit; nil when unknown.
    public let certificate: String?
    /// What it is about, in English; empty when unknown.
    public let plot: String
    /// The best known; empty when unknown.
    public let actors: [String]
    /// nil when unknown.
    public let runtimeMinutes: Int?
    /// What else there is to know.
    public let information: [InformationItem]

    /// What one source adds to another's film.
    public init(
        scores: [ExternalScore], certificate: String?, plot: String, actors: [String], runtimeMinutes: Int?,
        information: [InformationItem]
    ) {
        self.scores = scores
        self.certificate = certificate
        self.plot = plot
        self.actors = actors
        self.runtimeMinutes = runtimeMinutes
        self.information = information
    }
}

extension Movie {
    /// The same film with what its own source did not tell.
    public func adding(_ supplement: MovieSupplement) -> Movie {
        var movie = self
        movie.otherScores += supplement.scores.filter { new in !movie.otherScores.contains { $0.name == new.name } }
        movie.certificate = movie.certificate ?? supplement.certificate
        movie.runtimeMinutes = movie.runtimeMinutes ?? supplement.runtimeMinutes.flatMap { $0 > 0 ? $0 : nil }
        if movie.summary.overview.isEmpty { movie.summary.overview = supplement.plot }
        if movie.credits.cast.isEmpty {
            movie.credits = Credits(
                cast: supplement.actors.filter { !$0.isEmpty }.map { Credits.CastMember(name: $0, role: "") },
                crew: movie.credits.crew)
        }
        movie.information += supplement.information.filter { new in
            !movie.information.contains { $0.name == new.name }
        }
        return movie
    }
}
