/// A source of additional facts about other sources' films.
package protocol SupplementRepository: Sendable {
    var source: MovieSource { get }

    /// The facts about a film; `nil` if the source has no such film.
    /// - Parameter imdbID: An IMDb title such as `tt0133093`.
    func supplement(imdbID: String) async throws -> MovieSupplement?
}

/// Facts of one source about a film of another.
package struct MovieSupplement: Hashable, Sendable {
    package let scores: [ExternalScore]
    package let certificate: Certificate?
    /// The plot in English; empty if unknown.
    package let plot: String
    /// The main actors' names; empty if unknown.
    package let actors: [String]
    package let runtimeMinutes: Int?
    package let information: [InformationItem]

    package init(
        scores: [ExternalScore], certificate: Certificate?, plot: String, actors: [String], runtimeMinutes: Int?,
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
    /// Adds facts of `supplement` that the film's own source does not have.
    package func adding(_ supplement: MovieSupplement) -> Movie {
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
