extension Movie {
    /// The most parts in a section of the cast.
    static let sectionCastLimit = 20
    /// The most reviews in a section of theirs.
    static let sectionReviewLimit = 10

    /// What is shown of it, in order, without what is empty.
    ///
    /// - Parameter language: Of labels; the texts are in the film's own already.
    public func sections(in language: LanguagePreference) -> [DetailSection] {
        let sections: [DetailSection] = [
            .top(self.topSection), .summary(self.summaryItems(SummaryLabels(in: language))), .gallery(self.gallery),
            .description(self.summary.overview), .cast(Array(self.credits.cast.prefix(Self.sectionCastLimit))),
            .information(self.informationItems), .reviews(Array(self.reviews.prefix(Self.sectionReviewLimit))),
        ]
        return sections.filter { !$0.isEmpty }
    }

    private var topSection: TopSection {
        let otherTitle = self.summary.originalTitle == self.summary.title ? "" : self.summary.originalTitle
        return TopSection(
            title: self.summary.title, subtitle: self.tagline.isEmpty ? otherTitle : self.tagline,
            category: self.summary.genres.first?.name ?? "")
    }

    private func summaryItems(_ labels: SummaryLabels) -> [SummaryItem] {
        var items: [SummaryItem] = []
        if let score = self.summary.score {
            items.append(
                SummaryItem(
                    kind: .ratings, topLabel: labels.ratings(score.count),
                    middleLabel: Self.oneDecimal(score.average),
                    bottomLabel: StarRating(outOfFive: score.average / 2).text))
        }
        if let certificate = self.certificate {
            items.append(SummaryItem(kind: .age, topLabel: labels.age, middleLabel: certificate, bottomLabel: ""))
        }
        if let minutes = self.runtimeMinutes {
            items.append(
                SummaryItem(
                    kind: .runtime, topLabel: labels.runtime, middleLabel: "\(minutes)", bottomLabel: labels.minutes))
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

    /// What is known of every film first, then what its source adds.
    private var informationItems: [InformationItem] {
        let known: [(name: String, value: String)] = [
            ("originalTitle", self.summary.originalTitle == self.summary.title ? "" : self.summary.originalTitle),
            ("directors", self.directors.joined(separator: ", ")),
            ("genres", self.summary.genres.map(\.name).joined(separator: ", ")),
            ("releaseDate", self.summary.releaseDate?.description ?? self.summary.year.map { "\($0)" } ?? ""),
            ("runtime", self.runtimeMinutes.map { "\($0)" } ?? ""),
            ("countries", self.countries.joined(separator: ", ")), ("certificate", self.certificate ?? ""),
            ("status", self.status ?? ""), ("homepage", self.homepage ?? ""),
        ]
        let items = known.filter { !$0.value.isEmpty }.map { InformationItem(name: $0.name, value: $0.value) }
        return items + self.information.filter { own in !items.contains { $0.name == own.name } }
    }

    /// Rounded, such as `7.9`.
    private static func oneDecimal(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
