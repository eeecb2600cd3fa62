import MovieDomain
import UpstreamClient

extension KMDbFilm {
    /// The maximal number of cast members in details; credits have all.
    private static let castLimit = 20
    /// The staff groups of actors and directors.
    private static let playing = "출연"
    private static let directing = "감독"

    /// Known only for Korean films, by their ids.
    private var originalLanguage: Language? { self.id.key.hasPrefix("K") ? .korean : nil }

    /// The year of the first public showing, as far as known.
    var year: Int? { self.releaseDate?.year ?? self.productionYear }

    func summary(in language: LanguagePreference) -> MovieSummary? {
        let title = language.choice(from: self.titles, original: self.originalLanguage)?.text
        let original =
            self.originalTitle.isEmpty && self.originalLanguage == .korean ? self.titles["ko"] : self.originalTitle
        return MovieSummary(
            id: self.id, title: title ?? "", originalTitle: original ?? "", originalLanguage: self.originalLanguage,
            overview: language.choice(from: self.plots, original: self.originalLanguage)?.text ?? "",
            releaseDate: self.releaseDate?.date, year: self.year,
            genres: Genre.reading(self.genres, in: language), directors: self.directors.map { $0.text(in: language) },
            cast: self.actors.prefix(3).map { $0.text(in: language) }, poster: self.poster)
    }

    /// The thumbnail: the URL of the full picture is only a guess.
    private var poster: PosterReference? { self.posters.first.map { PosterReference(.web(url: $0)) } }

    func movie(in language: LanguagePreference) -> Movie? {
        guard let summary = self.summary(in: language) else { return nil }
        let credits = self.credits(in: language)
        let stills = self.stills.map { GalleryPicture(kind: .still, location: .web(url: $0)) }
        let posters = self.posters.dropFirst().map { GalleryPicture(kind: .poster, location: .web(url: $0)) }
        let (countries, otherCountries) = Country.reading(self.nations)
        return Movie(
            summary: summary, runtimeMinutes: self.runtimeMinutes, countries: countries,
            otherCountries: otherCountries, certificate: self.certificate.flatMap { Certificate($0, in: .korea) },
            credits: Credits(
                cast: Array(credits.cast.prefix(Self.castLimit)), crew: credits.crew.filter { $0.job == .director }),
            gallery: stills + posters, homepage: self.url, information: self.information,
            keywords: self.keywords.prefix(Keyword.limit).map { Keyword(name: $0) }, releases: self.releases)
    }

    private var releases: [Release] {
        let certificate = self.certificate.flatMap { Certificate($0, in: .korea) }
        return [self.releaseDate?.date].compactMap { $0 }.map {
            Release(country: .korea, date: $0, kind: .theatrical, certificate: certificate)
        }
    }

    func credits(in language: LanguagePreference) -> Credits {
        let players = self.workers.filter { $0.group == Self.playing }
        let parts = players.isEmpty ? self.actors.map { ($0, "") } : players.map { ($0.name, $0.role) }
        let cast = parts.map { name, role in
            let text = name.text(in: language)
            let own = self.originalLanguage == .korean ? name.korean : name.english
            return Credits.CastMember(name: text, originalName: own, role: role)
        }
        let directors = self.directors.map {
            Credits.CrewMember.director($0.text(in: language), sourceJob: Self.directing)
        }
        let others = self.workers.filter { $0.group != Self.playing && $0.group != Self.directing }.map {
            Credits.CrewMember(name: $0.name.text(in: language), sourceJob: $0.group)
        }
        return Credits(cast: cast, crew: directors + others)
    }

    private var information: [InformationItem] {
        InformationItem.items([
            (.productionYear, self.productionYear.map(String.init)), (.type, self.type),
            (.productionCompanies, self.company), (.keywords, self.keywords.joined(separator: ", ")),
            (.awards, self.awards.joined(separator: "\n")),
        ])
    }
}
