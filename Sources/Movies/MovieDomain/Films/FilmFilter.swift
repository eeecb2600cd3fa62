/// Which films of a catalogue are wanted, and in which order.
package struct FilmFilter: Hashable, Sendable {
    /// What films can be chosen by.
    package enum Field: String, CaseIterable, Sendable {
        case genre, year, decade, country, originalLanguage, keyword
    }

    /// The orders of films.
    package enum Sort: String, CaseIterable, Sendable {
        case popularity, rating, newest, oldest, title
    }

    /// The most genres.
    package static let genreLimit = 5

    /// All of them; empty for any. At most ``genreLimit``, each once.
    package var genres: [GenreID]
    /// Of the first public showing: one year, or the ten of a decade; nil for any.
    package var years: ClosedRange<Int>?
    /// Of production; nil for any.
    package var country: Country?
    /// nil for any.
    package var originalLanguage: Language?
    /// The id of a ``Keyword``; nil for any.
    package var keyword: String?
    package var sort: Sort

    package init(
        genres: [GenreID] = [], years: ClosedRange<Int>? = nil, country: Country? = nil,
        originalLanguage: Language? = nil, keyword: String? = nil, sort: Sort = .popularity
    ) {
        self.genres = genres
        self.years = years
        self.country = country
        self.originalLanguage = originalLanguage
        self.keyword = keyword
        self.sort = sort
    }

    /// What the films are chosen by.
    package var fields: Set<Field> {
        var fields: Set<Field> = []
        if !self.genres.isEmpty { fields.insert(.genre) }
        if let years = self.years { fields.insert(years.count == 1 ? .year : .decade) }
        if self.country != nil { fields.insert(.country) }
        if self.originalLanguage != nil { fields.insert(.originalLanguage) }
        if self.keyword != nil { fields.insert(.keyword) }
        return fields
    }
}

/// The values that a form offers, to choose films of a catalogue by.
package struct FilterChoices: Hashable, Sendable {
    /// Those that films of the catalogue have.
    package let genres: [Genre]
    /// The first years of the decades that films of the catalogue are from, the latest first; nil for any.
    package let decades: [Int]?
    /// The countries that films of the catalogue are from, in no order; nil for any.
    package let countries: [Country]?

    package init(genres: [Genre], decades: [Int]? = nil, countries: [Country]? = nil) {
        self.genres = genres
        self.decades = decades
        self.countries = countries
    }
}

/// The time in which films are in demand.
package enum TrendingPeriod: String, Hashable, Sendable, CaseIterable {
    case day, week
}
