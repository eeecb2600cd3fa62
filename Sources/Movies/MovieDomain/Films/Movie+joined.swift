extension Movie {
    /// Merges the film with its counterpart at another source.
    ///
    /// The id, the poster, the release date, the certificate, and for Korean readers the title are the film's own; its
    /// releases replace the counterpart's of the same kind and country. Reviews and tagline are the counterpart's. All
    /// other values are the counterpart's if it has them, else the film's own.
    package func joined(with counterpart: Movie, in language: LanguagePreference) -> Movie {
        var movie = counterpart
        movie.summary = self.summary.joined(with: counterpart.summary, in: language)
        movie.runtimeMinutes = counterpart.runtimeMinutes ?? self.runtimeMinutes
        if counterpart.countries.isEmpty, counterpart.otherCountries.isEmpty {
            movie.countries = self.countries
            movie.otherCountries = self.otherCountries
        }
        movie.certificate = self.certificate ?? counterpart.certificate
        movie.status = counterpart.status ?? self.status
        movie.credits = counterpart.credits.cast.isEmpty ? self.credits : counterpart.credits
        movie.gallery = counterpart.gallery.isEmpty ? self.gallery : counterpart.gallery
        movie.homepage = counterpart.homepage ?? self.homepage
        movie.imdbID = counterpart.imdbID ?? self.imdbID
        movie.otherScores += self.otherScores.filter { own in !counterpart.otherScores.contains { $0.name == own.name }
        }
        movie.information += self.information.filter { own in !counterpart.information.contains { $0.name == own.name }
        }
        if counterpart.videos.isEmpty { movie.videos = self.videos }
        if counterpart.keywords.isEmpty { movie.keywords = self.keywords }
        movie.collection = counterpart.collection ?? self.collection
        movie.releases =
            self.releases
            + counterpart.releases.filter { other in
                !self.releases.contains { $0.country == other.country && $0.kind == other.kind }
            }
        return movie
    }
}

extension MovieSummary {
    func joined(with counterpart: MovieSummary, in language: LanguagePreference) -> MovieSummary {
        var summary = counterpart
        summary.id = self.id
        if language.first == .korean { summary.title = self.title }
        summary.originalLanguage = counterpart.originalLanguage ?? self.originalLanguage
        summary.overview = counterpart.overview.isEmpty ? self.overview : counterpart.overview
        summary.releaseDate = self.releaseDate ?? counterpart.releaseDate
        summary.year = self.year ?? counterpart.year
        summary.genres = counterpart.genres.isEmpty ? self.genres : counterpart.genres
        summary.directors = counterpart.directors.isEmpty ? self.directors : counterpart.directors
        summary.cast = counterpart.cast.isEmpty ? self.cast : counterpart.cast
        summary.score = counterpart.score ?? self.score
        summary.poster = self.poster
        summary.backdrop = counterpart.backdrop ?? self.backdrop
        return summary
    }
}
