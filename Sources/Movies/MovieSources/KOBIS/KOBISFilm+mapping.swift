import MovieDomain
import UpstreamClient

extension KOBISFilm {
    /// Parts in the details of a film; the credits have all.
    private static let castLimit = 20

    /// Known of Korean films only.
    private var originalLanguage: Language? { self.nations.first == "한국" ? .korean : nil }

    /// The first public showing: re-releases, and foreign films that came late to Korea, are of the year in which they were made.
    private var year: Int? {
        guard let opening = self.openingDate?.year else { return self.productionYear }
        guard let made = self.productionYear, abs(opening - made) > 1 else { return opening }
        return made
    }

    func summary(in language: LanguagePreference) -> MovieSummary? {
        let original = self.originalLanguage
        let isRead = language.languages.contains { [.korean, .english, original].contains($0) }
        let title = self.title.text(in: language, original: original)
        let originalTitle =
            self.originalTitle.isEmpty
            ? original == .korean ? self.title.korean : self.title.english : self.originalTitle
        return MovieSummary(
            // The original title is in a language that KOBIS does not name: the next best when no other is wanted.
            id: self.id, title: isRead || self.originalTitle.isEmpty ? title : self.originalTitle,
            originalTitle: originalTitle.isEmpty ? title : originalTitle, originalLanguage: original,
            releaseDate: self.openingDate?.date, year: self.year,
            genres: self.genres.map { Genre(id: $0, name: $0) },
            directors: self.directors.map { $0.text(in: language, original: original) },
            cast: self.actors.prefix(3).map { $0.name.text(in: language, original: original) })
    }

    func movie(in language: LanguagePreference) -> Movie? {
        self.summary(in: language).map { summary in
            Movie(
                summary: summary, runtimeMinutes: self.runtimeMinutes, countries: self.nations,
                certificate: self.certificates.first, status: self.status,
                credits: Credits(
                    cast: self.cast(in: language).prefix(Self.castLimit).map { $0 },
                    crew: self.crewOfDirectors(in: language)),
                information: self.information(in: language))
        }
    }

    func credits(in language: LanguagePreference) -> Credits {
        let original = self.originalLanguage
        let workers = self.workers.map {
            Credits.CrewMember(name: $0.name.text(in: language, original: original), job: $0.job)
        }
        return Credits(cast: self.cast(in: language), crew: self.crewOfDirectors(in: language) + workers)
    }

    private func cast(in language: LanguagePreference) -> [Credits.CastMember] {
        let original = self.originalLanguage
        return self.actors.map { actor in
            let name = actor.name.text(in: language, original: original)
            let own = original == .korean ? actor.name.korean : actor.name.english
            return Credits.CastMember(
                name: name, originalName: own,
                role: actor.role.text(in: language, original: original))
        }
    }

    private func crewOfDirectors(in language: LanguagePreference) -> [Credits.CrewMember] {
        self.directors.map { .director($0.text(in: language, original: self.originalLanguage)) }
    }

    private func information(in language: LanguagePreference) -> [InformationItem] {
        var facts: [(String, String?)] = [
            ("productionYear", self.productionYear.map(String.init)), ("type", self.type),
            ("screeningTypes", self.screeningTypes.uniqued.joined(separator: ", ")),
        ]
        if self.certificates.count > 1 { facts.append(("certificates", self.certificates.joined(separator: ", "))) }
        for part in self.companies.map(\.part).uniqued {
            let names = self.companies.filter { $0.part == part }.map { company in
                company.name.text(in: language, original: self.originalLanguage)
            }
            facts.append((Self.parts[part] ?? "company", names.uniqued.joined(separator: ", ")))
        }
        return InformationItem.items(facts)
    }

    /// What companies do.
    private static let parts = [
        "제작사": "productionCompany", "공동제작": "coProductionCompany", "배급사": "distributor", "공동배급": "coDistributor",
        "제공": "presenter", "공동제공": "coPresenter", "수입사": "importer", "해외세일즈사": "salesCompany",
        "제작지원": "productionSupport", "홍보": "publicity", "마케팅": "marketing",
    ]
}
