extension Movie {
    static let sectionCastLimit = 20
    static let sectionVideoLimit = 10
    static let sectionReviewLimit = 10

    /// The sections of the film's details, in order, without empty ones.
    /// - Parameter language: The language of labels, and the order of videos; the film's texts are already localised.
    package func sections(in language: LanguagePreference) -> [DetailSection] {
        let sections: [DetailSection] = [
            .top(self.topSection), .summary(self.summaryItems(in: language)), .gallery(self.gallery),
            .videos(Array(Video.ranked(self.videos, for: language).prefix(Self.sectionVideoLimit))),
            .description(self.summary.overview), .cast(Array(self.credits.cast.prefix(Self.sectionCastLimit))),
            .information(self.informationItems(in: language)),
            .reviews(Array(self.reviews.prefix(Self.sectionReviewLimit))),
        ]
        return sections.filter { !$0.isEmpty }
    }

    private var topSection: TopSection {
        let otherTitle = self.summary.originalTitle == self.summary.title ? "" : self.summary.originalTitle
        return TopSection(
            title: self.summary.title, subtitle: self.tagline.isEmpty ? otherTitle : self.tagline,
            category: self.summary.genres.first?.name ?? "")
    }

    private func summaryItems(in language: LanguagePreference) -> [SummaryItem] {
        let labels = Labels(in: language)
        var items: [SummaryItem] = []
        if let score = self.summary.score {
            items.append(
                SummaryItem(
                    kind: .ratings, topLabel: labels.ratings(score.count),
                    middleLabel: OneDecimal(score.average).description,
                    bottomLabel: StarRating(outOfFive: score.average / 2).text))
        }
        if let certificate = self.certificate {
            let label = certificate.label(in: language)
            items.append(SummaryItem(kind: .age, topLabel: labels.age, middleLabel: label, bottomLabel: ""))
        }
        if let minutes = self.runtimeMinutes {
            items.append(
                SummaryItem(
                    kind: .runtime, topLabel: labels.runtime, middleLabel: "\(minutes)",
                    bottomLabel: labels.minutes(minutes)))
        }
        if let year = self.summary.year {
            items.append(
                SummaryItem(
                    kind: .release, topLabel: labels.release, middleLabel: "\(year)",
                    bottomLabel: self.summary.releaseDate?.description ?? ""))
        }
        if let language = self.summary.originalLanguage {
            items.append(
                SummaryItem(
                    kind: .language, topLabel: labels.language, middleLabel: language.code.uppercased(), bottomLabel: ""
                ))
        }
        return items
    }

    /// The facts that every film has, followed by the source's additional facts.
    private func informationItems(in language: LanguagePreference) -> [InformationItem] {
        let countries = self.countries.map { $0.name(in: language) } + self.otherCountries
        let known: [(InformationName, String?)] = [
            (.originalTitle, self.summary.originalTitle == self.summary.title ? "" : self.summary.originalTitle),
            (.directors, self.directors.joined(separator: ", ")),
            (.genres, self.summary.genres.map(\.name).joined(separator: ", ")),
            (.releaseDate, self.summary.releaseDate?.description ?? self.summary.year.map { "\($0)" }),
            (.runtime, self.runtimeMinutes.map { "\($0)" }),
            (.countries, countries.joined(separator: ", ")), (.certificate, self.certificate?.label(in: language)),
            (.status, self.status?.name(in: language)), (.homepage, self.homepage),
        ]
        let items = InformationItem.items(known)
        return items + self.information.filter { own in !items.contains { $0.name == own.name } }
    }
}
