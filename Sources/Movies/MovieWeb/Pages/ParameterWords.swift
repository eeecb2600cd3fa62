import HTTPSemantics
import MovieDomain
import MovieHTTP

/// The sentence about a wrong parameter of a page: the field, and the accepted values.
struct ParameterWords: Hashable {
    /// The text keys of a parameter.
    private struct Rule {
        /// The key of the field's name.
        let label: String
        /// The key of the sentence about accepted values.
        let accepted: String
        /// The values of `{values}`.
        var values: [String] = []
        /// The value of `{count}`.
        var count: Int?
        /// The values of `{first}` and `{last}`.
        var range: ClosedRange<Int>?
    }

    private static let rules: [String: Rule] = [
        FilmFilter.Field.genre.rawValue: Rule(
            label: "discoverGenre", accepted: "acceptedGenre", count: FilmFilter.genreLimit),
        FilmFilter.Field.decade.rawValue: Rule(label: "discoverDecade", accepted: "acceptedDecade"),
        FilmFilter.Field.country.rawValue: Rule(label: "discoverCountry", accepted: "acceptedCountry"),
        FilmFilter.Field.keyword.rawValue: Rule(label: "filmKeywords", accepted: "acceptedKeyword"),
        "sort": Rule(
            label: "discoverSort", accepted: "acceptedValues", values: FilmFilter.Sort.allCases.map(\.rawValue)),
        ArrangeForm.sort: Rule(
            label: "discoverSort", accepted: "acceptedValues",
            values: SavedFilmArrangement.Sort.allCases.map(\.rawValue)),
        FilmFilter.Field.year.rawValue: Rule(
            label: "searchYear", accepted: "acceptedNumber", range: FilmFilter.allYears),
        PageMore.parameter: Rule(
            label: "fieldPage", accepted: "acceptedNumber", range: 1...QueryParameters.pageLimit),
        "q": Rule(label: "searchSubmit", accepted: "acceptedLength", count: MovieQuery.maxLength),
        "date": Rule(label: "boxOfficeDate", accepted: "acceptedDate"),
        "span": Rule(
            label: "boxOfficeSpan", accepted: "acceptedValues",
            values: BoxOfficePeriod.Span.allCases.map(\.rawValue)),
        "origin": Rule(
            label: "boxOfficeOrigin", accepted: "acceptedValues",
            values: BoxOfficeFilter.Origin.allCases.map(\.rawValue)),
        "view": Rule(
            label: "boxOfficeView", accepted: "acceptedValues",
            values: BoxOfficeAddress.View.allCases.map(\.rawValue)),
        GalleryPage.kindParameter: Rule(
            label: "filmGallery", accepted: "acceptedValues", values: GalleryPage.Kind.allCases.map(\.rawValue)),
        QueryParameters.regionParameter: Rule(label: "discoverCountry", accepted: "acceptedCountry"),
        RequestedLanguages.parameter: Rule(label: "languageLabel", accepted: "acceptedLanguage"),
    ]

    /// Whether a page has the parameter.
    static func isKnown(_ name: String) -> Bool { Self.rules[name] != nil }

    /// The parameter's name in addresses.
    let name: String
    let sentence: String
    /// The text of the link to the page without the parameter.
    let linkText: String

    /// - Returns: `nil` for a parameter that people do not set.
    init?(_ parameter: Problem.Parameter, _ texts: PageFormats) {
        guard let rule = Self.rules[parameter.name] else { return nil }
        let field = texts(rule.label)
        self.name = parameter.name
        self.linkText = texts("errorFieldWithout", ["field": field])
        switch parameter.fault {
        case .repetition: self.sentence = texts("errorFieldTwice", ["field": field])
        case .unsupported: self.sentence = texts("errorFieldOff", ["field": field])
        case .value:
            let accepted = texts(
                rule.accepted, count: rule.count,
                [
                    "values": texts.list(rule.values), "first": rule.range.map { String($0.lowerBound) } ?? "",
                    "last": rule.range.map { String($0.upperBound) } ?? "",
                ])
            self.sentence = texts("errorField", ["field": field]) + " " + accepted
        }
    }
}
