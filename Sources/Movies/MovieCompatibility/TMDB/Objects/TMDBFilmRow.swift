import MovieDomain

/// Films in lists.
enum TMDBFilmRow {
    /// Popularity is the number of ratings divided by this.
    private static let popularityDivisor = 100.0
    /// The code of films and reviews without a known language.
    static let noLanguage = "xx"

    /// - Parameter mediaType: `nil` in lists with only films.
    /// - Returns: `nil` if the film has no number.
    static func object(_ film: MovieSummary, mediaType: String? = nil) -> OrderedJSON? {
        guard let number = TMDBNumber.number(of: film.id) else { return nil }
        let row: OrderedJSON = [
            "adult": false,
            "backdrop_path": TMDBPicturePath.backdrop(of: film),
            "genre_ids": .integers(film.genres.compactMap(\.id.tmdbNumber)),
            "id": .integer(number),
            "original_language": self.originalLanguage(film),
            "original_title": .string(film.originalTitle),
            "overview": .string(film.overview),
            "popularity": self.popularity(film),
            "poster_path": TMDBPicturePath.poster(of: film),
            "release_date": self.releaseDate(film),
            "title": .string(film.title),
            "video": false,
            "vote_average": self.voteAverage(film),
            "vote_count": self.voteCount(film),
        ]
        return row.adding(mediaType.map { ["media_type": .string($0)] })
    }

    static func objects(_ films: [MovieSummary], mediaType: String? = nil) -> OrderedJSON {
        .array(films.compactMap { self.object($0, mediaType: mediaType) })
    }

    static func page(_ page: Page<MovieSummary>, mediaType: String? = nil) -> OrderedJSON {
        TMDBPage.object(page, rows: page.results.compactMap { self.object($0, mediaType: mediaType) })
    }

    static func originalLanguage(_ film: MovieSummary) -> OrderedJSON {
        .string(film.originalLanguage?.code ?? self.noLanguage)
    }

    static func popularity(_ film: MovieSummary) -> OrderedJSON {
        .number(Double(film.score?.count ?? 0) / self.popularityDivisor)
    }

    static func releaseDate(_ film: MovieSummary) -> OrderedJSON { .string(film.releaseDate?.description ?? "") }

    static func voteAverage(_ film: MovieSummary) -> OrderedJSON { .number(film.score?.average ?? 0) }

    static func voteCount(_ film: MovieSummary) -> OrderedJSON { .integer(film.score?.count ?? 0) }
}

/// Pages of lists.
enum TMDBPage {
    static let size = 20

    /// An empty page, for items that this server does not have, such as series.
    static func empty(_ request: TMDBRequest) throws(TMDBFault) -> OrderedJSON {
        Self.object(Page<Int>(try request.page(), of: [], size: Self.size), rows: [])
    }

    static func object<Element: Sendable>(_ page: Page<Element>, rows: [OrderedJSON]) -> OrderedJSON {
        [
            "page": .integer(page.number), "results": .array(rows),
            "total_pages": .integer(min(page.totalPages, TMDBRequest.pageLimit)),
            "total_results": .integer(page.totalResults),
        ]
    }
}
