/// Selects and sorts films of a catalogue.
package struct FilmFilter: Hashable, Sendable {
    package enum Field: String, CaseIterable, Sendable {
        case genre, year, decade, country, originalLanguage, keyword
    }

    package enum Sort: String, CaseIterable, Sendable {
        case popularity, rating, newest, oldest, title
    }

    package static let genreLimit = 5

    /// Films must have all of these genres, at most ``genreLimit`` without duplicates; empty for any.
    package var genres: [GenreID]
    /// The years of the first public showing, one year or a decade; `nil` for any.
    package var years: ClosedRange<Int>?
    /// The country of production; `nil` for any.
    package var country: Country?
    package var originalLanguage: Language?
    /// The id of a ``Keyword``; `nil` for any.
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

/// The values of a filter that a form offers.
package struct FilterChoices: Hashable, Sendable {
    /// The genres of the catalogue's films.
    package let genres: [Genre]
    /// The first years of the decades of the catalogue's films, the latest first; `nil` for any decade.
    package let decades: [Int]?
    /// The countries of the catalogue's films, in no particular order; `nil` for any country.
    package let countries: [Country]?

    package init(genres: [Genre], decades: [Int]? = nil, countries: [Country]? = nil) {
        self.genres = genres
        self.decades = decades
        self.countries = countries
    }
}

/// The period over which the demand for films is measured.
package enum TrendingPeriod: String, Hashable, Sendable, CaseIterable {
    case day, week
}
