import MovieDomain
import UpstreamClient

extension KOBISFilm {
    /// The maximal number of cast members in details; credits have all.
    private static let castLimit = 20

    /// Known only for Korean films.
    private var originalLanguage: Language? {
        self.nations.first.flatMap { Country(word: $0) } == .korea ? .korean : nil
    }

    /// The year of the first public showing: the production year for re-releases, and for foreign films that opened
    /// late in Korea.
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
            // The original title's language is unknown: preferred only if the reader wants none of the known ones.
            id: self.id, title: isRead || self.originalTitle.isEmpty ? title : self.originalTitle,
            originalTitle: originalTitle.isEmpty ? title : originalTitle, originalLanguage: original,
            releaseDate: self.openingDate?.date, year: self.year,
            genres: Genre.reading(self.genres, in: language),
            directors: self.directors.map { $0.text(in: language, original: original) },
            cast: self.actors.prefix(3).map { $0.name.text(in: language, original: original) })
    }

    func movie(in language: LanguagePreference) -> Movie? {
        let (countries, otherCountries) = Country.reading(self.nations)
        let certificate = self.certificates.lazy.compactMap { Certificate($0, in: .korea) }.first
        return self.summary(in: language).map { summary in
            Movie(
                summary: summary, runtimeMinutes: self.runtimeMinutes, countries: countries,
                otherCountries: otherCountries,
                certificate: certificate,
                status: self.status.flatMap { FilmStatus(word: $0) },
                credits: Credits(
                    cast: self.cast(in: language).prefix(Self.castLimit).map { $0 },
                    crew: self.crewOfDirectors(in: language)),
                information: self.information(in: language),
                releases: [self.openingDate?.date].compactMap { $0 }.map {
                    Release(country: .korea, date: $0, kind: .theatrical, certificate: certificate)
                })
        }
    }

    func credits(in language: LanguagePreference) -> Credits {
        let original = self.originalLanguage
        let workers = self.workers.map {
            Credits.CrewMember(name: $0.name.text(in: language, original: original), sourceJob: $0.job)
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
        self.directors.map { .director($0.text(in: language, original: self.originalLanguage), sourceJob: "감독") }
    }

    private func information(in language: LanguagePreference) -> [InformationItem] {
        var facts: [(InformationName, String?)] = [
            (.productionYear, self.productionYear.map(String.init)), (.type, self.type),
            (.screeningTypes, self.screeningTypes.uniqued.joined(separator: ", ")),
        ]
        if self.certificates.count > 1 {
            let labels = self.certificates.map { Certificate($0, in: .korea)?.label(in: language) ?? $0 }
            facts.append((.certificates, labels.uniqued.joined(separator: ", ")))
        }
        // Companies with unknown roles share one row.
        let companies = self.companies.map { company in
            (
                part: Self.parts[company.part] ?? .companies,
                name: company.name.text(in: language, original: self.originalLanguage)
            )
        }
        for part in companies.map(\.part).uniqued {
            let names = companies.filter { $0.part == part }.map(\.name)
            facts.append((part, names.uniqued.joined(separator: ", ")))
        }
        return InformationItem.items(facts)
    }

    /// Labels of companies' roles.
    private static let parts: [String: InformationName] = [
        "제작사": .productionCompanies, "공동제작": .coProductionCompanies, "배급사": .distributors, "공동배급": .coDistributors,
        "제공": .presenters, "공동제공": .coPresenters, "수입사": .importers, "해외세일즈사": .salesCompanies,
        "제작지원": .productionSupport, "홍보": .publicity, "마케팅": .marketing,
    ]
}
