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
