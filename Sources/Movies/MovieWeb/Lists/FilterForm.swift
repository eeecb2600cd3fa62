import MovieDomain

/// The form for filtering films, with a field for each filter of the catalogue.
struct FilterForm: Sendable {
    /// The offered countries if a catalogue does not state the countries of its films.
    private static let countries = [
        "AR", "AU", "BE", "BR", "CA", "CN", "DE", "DK", "ES", "FR", "GB", "HK", "IN", "IR", "IT", "JP", "KR", "MX",
        "PL", "RU", "SE", "TH", "TW", "US",
    ].compactMap { Country(code: $0) }
    /// The decade of the first public showings.
    private static let firstDecade = 1890

    private struct Option {
        /// Empty for any.
        let value: String
        let text: String
        let isChosen: Bool

        var model: Model { ["value": self.value, "text": self.text, "isChosen": self.isChosen] }
    }

    private let filter: FilmFilter
    private let fields: Set<FilmFilter.Field>
    private let choices: FilterChoices
    private let lastDecade: Int
    private let language: LanguagePreference
    private let text: PageFormats

    /// - Parameters:
    ///   - fields: The filters of the catalogue.
    ///   - choices: The catalogue's values; `nil`, while unknown, offers all genres and decades, and some countries.
    ///   - language: The language of genres' and countries' names.
    init(
        _ filter: FilmFilter, by fields: Set<FilmFilter.Field>, choices: FilterChoices?, year: Int,
        language: LanguagePreference, text: PageFormats
    ) {
        self.filter = filter
        self.fields = fields
        self.choices = choices ?? FilterChoices(genres: GenreID.allCases.map { Genre($0, in: language) })
        self.lastDecade = year - year % 10
        self.language = language
        self.text = text
    }

    /// The chosen filters as texts, in the order of the fields.
    var chosen: [String] {
        var words = self.filter.genres.map(self.name)
        if let years = self.filter.years { words.append(self.name(ofDecade: years.lowerBound)) }
        if let country = self.filter.country { words.append(country.name(in: self.language)) }
        return words
    }

    /// Whether the filter differs from the default: all films by popularity.
    var isChanged: Bool { self.filter != FilmFilter() }

    /// The values of the template `filters`, without addresses.
    var model: Model {
        var fields: [Model] = []
        if self.fields.contains(.genre) {
            fields.append(self.field("genre", label: "discoverGenre", any: "discoverAnyGenre", self.genres))
        }
        if self.fields.contains(.decade) {
            fields.append(self.field("decade", label: "discoverDecade", any: "discoverAnyDecade", self.decades))
        }
        if self.fields.contains(.country) {
            fields.append(self.field("country", label: "discoverCountry", any: "discoverAnyCountry", self.countries))
        }
        fields.append(self.field("sort", label: "discoverSort", any: nil, self.orders))
        return ["fields": fields, "keyword": self.filter.keyword]
    }

    private func field(_ name: String, label: String, any: String?, _ options: [Option]) -> Model {
        let none = any.map { key in
            Option(value: "", text: self.text(key), isChosen: !options.contains { $0.isChosen })
        }
        return [
            "name": name, "label": self.text(label),
            "options": ((none.map { [$0] } ?? []) + options).map(\.model),
        ]
    }

    /// By name. Several genres of an address are one additional option.
    private var genres: [Option] {
        let chosen = self.filter.genres
        var options = self.choices.genres.map { genre in
            Option(value: genre.id.rawValue, text: genre.name, isChosen: chosen == [genre.id])
        }
        if !chosen.isEmpty, !options.contains(where: { $0.isChosen }) {
            let value = chosen.map(\.rawValue).joined(separator: ",")
            options.append(Option(value: value, text: self.text.list(chosen.map(self.name)), isChosen: true))
        }
        return options.sorted { $0.text < $1.text }
    }

    private func name(_ genre: GenreID) -> String {
        self.choices.genres.first { $0.id == genre }?.name ?? genre.name(in: self.language)
    }

    /// In descending order.
    private var decades: [Option] {
        let offered =
            self.choices.decades
            ?? Array(stride(from: max(self.lastDecade, Self.firstDecade), through: Self.firstDecade, by: -10))
        let chosen = self.filter.years?.lowerBound
        return Set(offered + (chosen.map { [$0] } ?? [])).sorted(by: >).map { decade in
            Option(value: String(decade), text: self.name(ofDecade: decade), isChosen: decade == chosen)
        }
    }

    private func name(ofDecade decade: Int) -> String { self.text("discoverDecadeOf", ["decade": String(decade)]) }

    private var countries: [Option] {
        let chosen = self.filter.country
        return Set((self.choices.countries ?? Self.countries) + (chosen.map { [$0] } ?? [])).map { country in
            Option(value: country.code, text: country.name(in: self.language), isChosen: country == chosen)
        }.sorted { ($0.text, $0.value) < ($1.text, $1.value) }
    }

    private var orders: [Option] {
        FilmFilter.Sort.allCases.map { sort in
            Option(value: sort.rawValue, text: self.text(sort.textKey), isChosen: sort == self.filter.sort)
        }
    }
}

extension FilmFilter.Sort {
    fileprivate var textKey: String {
        switch self {
        case .popularity: "sortPopularity"
        case .rating: "sortRating"
        case .newest: "sortNewest"
        case .oldest: "sortOldest"
        case .title: "sortTitle"
        }
    }
}
