package import HTTPSemantics
package import MovieDomain

extension FilmFilter {
    /// The accepted first years of decades.
    package static let decades = 1880...2990
    package static let allYears = 1888...2999

    /// Reads the parameters; without any, selects all films by popularity.
    ///
    /// - Parameter services: Their catalogue determines the supported fields.
    /// - Throws: ``Problem`` with the accepted values.
    package init(_ query: QueryParameters, of services: MovieServices) throws(Problem) {
        let genres = GenreID.allCases.map(\.rawValue).joined(separator: ", ")
        self.init(
            genres: try query.value(
                Field.genre.rawValue, accepted: "1 to \(Self.genreLimit) of these, separated by commas: \(genres)",
                Self.genres) ?? [],
            years: try Self.years(query), country: try query.country(Field.country.rawValue),
            originalLanguage: try query.value(
                Field.originalLanguage.rawValue, accepted: "a language such as ko, en or ja-JP"
            ) { Language(tag: $0) },
            keyword: try query.value(Field.keyword.rawValue, accepted: "the id of a keyword, such as tmdb:818") {
                Keyword.tmdbNumber(ofID: $0) == nil ? nil : $0
            }, sort: try query.choice("sort") ?? .popularity)
        let unknown = self.fields.subtracting(services.catalogue.filters)
        // Ignoring the field would return wrong films.
        if let field = FilmFilter.Field.allCases.first(where: unknown.contains) {
            throw Problem(
                .invalidParameter, Self.refusal(of: field, by: services),
                parameter: Problem.Parameter(field.rawValue, .unsupported))
        }
    }

    private static func refusal(of field: Field, by services: MovieServices) -> String {
        let own = "\(field.rawValue) is not supported by the catalogue of \(services.catalogue.source.name)"
        let option = services.sources.options[.tmdb]
        return option.map { "\(own); \($0) enables \(MovieSource.tmdb.name)" } ?? own
    }

    /// Without duplicates; `nil` if a genre is unknown, or for none or too many.
    private static func genres(_ text: String) -> [GenreID]? {
        var genres: [GenreID] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let genre = GenreID(rawValue: String(word)) else { return nil }
            if !genres.contains(genre) { genres.append(genre) }
        }
        return (1...Self.genreLimit).contains(genres.count) ? genres : nil
    }

    private static func years(_ query: QueryParameters) throws(Problem) -> ClosedRange<Int>? {
        let year = try query.number(Field.year.rawValue, in: Self.allYears)
        let decade = try query.value(
            Field.decade.rawValue,
            accepted: "the first year of a decade from \(Self.decades.lowerBound) to \(Self.decades.upperBound), "
                + "such as 1990"
        ) { text in
            QueryParameters.number(text).flatMap { Self.decades.contains($0) && $0.isMultiple(of: 10) ? $0 : nil }
        }
        guard year == nil || decade == nil else {
            throw Problem(.invalidParameter, "year and decade exclude each other: leave one of them out")
        }
        return year.map { $0...$0 } ?? decade.map { $0...($0 + 9) }
    }
}
