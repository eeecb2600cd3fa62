import MovieDomain

/// A film with its details.
enum TMDBFilmObject {
    /// The language of the names of languages and countries.
    private static let english = LanguagePreference([.english])

    static func object(_ movie: Movie, number: Int) -> OrderedJSON {
        let film = movie.summary
        return [
            "adult": false,
            "backdrop_path": TMDBPicturePath.backdrop(of: film),
            "belongs_to_collection": self.collection(movie.collection),
            "budget": 0,
            "genres": .array(film.genres.compactMap(self.genre)),
            "homepage": .string(movie.homepage ?? ""),
            "id": .integer(number),
            "imdb_id": .string(TMDBNumber.title(of: movie) ?? ""),
            "origin_country": .strings(movie.countries.map(\.code)),
            "original_language": TMDBFilmRow.originalLanguage(film),
            "original_title": .string(film.originalTitle),
            "overview": .string(film.overview),
            "popularity": TMDBFilmRow.popularity(film),
            "poster_path": TMDBPicturePath.poster(of: film),
            "production_companies": [],
            "production_countries": .array(movie.countries.map(self.country)),
            "release_date": TMDBFilmRow.releaseDate(film),
            "revenue": 0,
            "runtime": .integer(movie.runtimeMinutes ?? 0),
            "spoken_languages": .array(film.originalLanguage.map { [TMDBLanguages.object($0)] } ?? []),
            "status": .string(movie.status.map(self.word) ?? ""),
            "tagline": .string(movie.tagline),
            "title": .string(film.title),
            "video": false,
            "vote_average": TMDBFilmRow.voteAverage(film),
            "vote_count": TMDBFilmRow.voteCount(film),
        ]
    }

    /// `nil` if The Movie Database does not have the genre.
    static func genre(_ genre: Genre) -> OrderedJSON? {
        genre.id.tmdbNumber.map { ["id": .integer($0), "name": .string(genre.name)] }
    }

    private static func country(_ country: Country) -> OrderedJSON {
        ["iso_3166_1": .string(country.code), "name": .string(country.name(in: self.english))]
    }

    private static func collection(_ collection: CollectionReference?) -> OrderedJSON {
        guard let collection, collection.id.source == .tmdb, let number = Int(collection.id.key) else { return nil }
        return [
            "id": .integer(number), "name": .string(collection.name),
            "poster_path": TMDBPicturePath.path(of: collection.poster?.location),
            "backdrop_path": TMDBPicturePath.path(of: collection.backdrop?.location),
        ]
    }

    private static func word(_ status: FilmStatus) -> String {
        switch status {
        case .rumored: "Rumored"
        case .planned: "Planned"
        case .inProduction: "In Production"
        case .postProduction, .upcoming: "Post Production"
        case .released: "Released"
        case .canceled: "Canceled"
        }
    }
}
