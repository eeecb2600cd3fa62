extension StoreApp {
    /// The sections of the app's details, in order, without empty ones.
    /// - Parameter language: The language of labels; the app's texts are already localised.
    package func sections(in language: LanguagePreference) -> [DetailSection] {
        let labels = Labels(in: language)
        let sections: [DetailSection] = [
            .top(
                TopSection(
                    title: self.name, subtitle: self.developer, category: self.category,
                    price: self.priceLabel(in: language))),
            .summary([self.ratings(labels), self.age(labels), self.maker(labels), self.speech(labels)]),
            .gallery(self.screenshots),
            .description(self.description),
            .releaseNotes(version: self.version, notes: self.releaseNotes),
            .information(self.information(labels)),
        ]
        return sections.filter { !$0.isEmpty }
    }

    /// `GET` when the app is free, in Korean `받기`, in Japanese `入手`; empty when the price is unknown.
    package func priceLabel(in language: LanguagePreference) -> String {
        switch self.price {
        case 0?: Labels(in: language).free
        case let price? where self.formattedPrice.isEmpty: "\(price) \(self.currency)"
        default: self.formattedPrice
        }
    }

    private func ratings(_ labels: Labels) -> SummaryItem {
        guard let averageRating else {
            return SummaryItem(kind: .ratings, topLabel: labels.noRatings, middleLabel: "", bottomLabel: "")
        }
        return SummaryItem(
            kind: .ratings, topLabel: labels.ratings(self.ratingCount),
            middleLabel: OneDecimal(averageRating).description,
            bottomLabel: StarRating(outOfFive: averageRating).text)
    }

    private func age(_ labels: Labels) -> SummaryItem {
        SummaryItem(
            kind: .age, topLabel: labels.age, middleLabel: self.contentRating,
            bottomLabel: self.contentRating.isEmpty ? "" : labels.yearsOld)
    }

    private func maker(_ labels: Labels) -> SummaryItem {
        SummaryItem(kind: .developer, topLabel: labels.developer, middleLabel: "", bottomLabel: self.developer)
    }

    private func speech(_ labels: Labels) -> SummaryItem {
        let others = self.languages.count - 1
        return SummaryItem(
            kind: .language, topLabel: labels.language, middleLabel: self.languages.first?.code.uppercased() ?? "",
            bottomLabel: others > 0 ? labels.moreLanguages(others) : "")
    }

    private func information(_ labels: Labels) -> [InformationItem] {
        InformationItem.items([
            (.provider, self.seller), (.size, self.byteCount.map { Self.size($0) }),
            (.category, self.category),
            (.compatibility, self.minimumOSVersion.isEmpty ? "" : labels.compatibility(self.minimumOSVersion)),
            (.languages, self.languages.map { $0.code.uppercased() }.joined(separator: ", ")),
            (.ageRating, self.contentRating), (.version, self.version),
            (.releaseDate, self.releaseDate?.description),
        ])
    }

    /// Formats a number of bytes in decimal units: `123.4 MB`.
    private static func size(_ byteCount: Int64) -> String {
        let scale = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "KB")].first { byteCount >= $0.0 }
        guard let (unit, name) = scale else { return "\(byteCount) bytes" }
        return "\(OneDecimal(tenths: Int(byteCount / Int64(unit / 10)))) \(name)"
    }
}
