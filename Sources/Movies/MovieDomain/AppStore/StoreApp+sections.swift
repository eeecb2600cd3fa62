extension StoreApp {
    /// The sections of the app's details, in order, without empty ones. In English; clients translate by kind and name.
    package var sections: [DetailSection] {
        let sections: [DetailSection] = [
            .top(
                TopSection(title: self.name, subtitle: self.developer, category: self.category, price: self.priceLabel)),
            .summary([self.ratings, self.age, self.maker, self.speech]),
            .gallery(self.screenshots),
            .description(self.description),
            .releaseNotes(version: self.version, notes: self.releaseNotes),
            .information(self.information),
        ]
        return sections.filter { !$0.isEmpty }
    }

    /// `GET` when the app is free; empty when the price is unknown.
    package var priceLabel: String {
        switch self.price {
        case 0?: "GET"
        case let price? where self.formattedPrice.isEmpty: "\(price) \(self.currency)"
        default: self.formattedPrice
        }
    }

    private var ratings: SummaryItem {
        guard let averageRating else {
            return SummaryItem(kind: .ratings, topLabel: "NO RATINGS", middleLabel: "", bottomLabel: "")
        }
        let noun = self.ratingCount == 1 ? "RATING" : "RATINGS"
        return SummaryItem(
            kind: .ratings, topLabel: "\(AbbreviatedCount(self.ratingCount)) \(noun)",
            middleLabel: OneDecimal(averageRating).description,
            bottomLabel: StarRating(outOfFive: averageRating).text)
    }

    private var age: SummaryItem {
        SummaryItem(
            kind: .age, topLabel: "AGE", middleLabel: self.contentRating,
            bottomLabel: self.contentRating.isEmpty ? "" : "Years Old")
    }

    private var maker: SummaryItem {
        SummaryItem(kind: .developer, topLabel: "DEVELOPER", middleLabel: "", bottomLabel: self.developer)
    }

    private var speech: SummaryItem {
        let others = self.languages.count - 1
        return SummaryItem(
            kind: .language, topLabel: "LANGUAGE", middleLabel: self.languages.first?.code.uppercased() ?? "",
            bottomLabel: others > 0 ? "+ \(others) More" : "")
    }

    private var information: [InformationItem] {
        InformationItem.items([
            (.provider, self.seller), (.size, self.byteCount.map { Self.size($0) }),
            (.category, self.category),
            (.compatibility, self.minimumOSVersion.isEmpty ? "" : "\(self.minimumOSVersion) or later"),
            (.languages, self.languages.map { $0.code.uppercased() }.joined(separator: ", ")),
            (.ageRating, self.contentRating), (.version, self.version),
            (.releaseDate, self.releaseDate?.description),
        ])
    }

    /// A number of bytes in decimal units: `123.4 MB`.
    private static func size(_ byteCount: Int64) -> String {
        let scale = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "KB")].first { byteCount >= $0.0 }
        guard let (unit, name) = scale else { return "\(byteCount) bytes" }
        return "\(OneDecimal(tenths: Int(byteCount / Int64(unit / 10)))) \(name)"
    }
}
