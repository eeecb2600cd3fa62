import MovieDomain
import MovieHTTP

/// The parts of a film, made from the domain, without the film's number.
struct TMDBFilmPartDocuments: Sendable {
    /// The languages of the catalogue's texts, and the countries that translations are listed under.
    private static let translations: [(language: Language?, country: String)] = [
        (Language("en"), "US"), (Language("ja"), "JP"), (Language("ko"), "KR"),
    ]

    let services: MovieServices

    func document(
        _ part: TMDBResource.FilmPart, of movie: Movie, _ request: TMDBRequest
    ) async throws -> OrderedJSON {
        let (show, language, id) = (self.services.showMovie, request.language, movie.id)
        switch part {
        case .credits, .casts:
            return TMDBCredits.object(try await show.credits(of: id, language: language).value, of: id)
        case .videos: return TMDBFilmParts.videos(try await show.videos(of: id, language: language).value)
        case .trailers: return TMDBLegacyParts.trailers(try await show.videos(of: id, language: language).value)
        case .releases: return TMDBLegacyParts.releases(of: movie)
        case .images:
            return TMDBImages.object(try await show.images(of: id), languages: TMDBImages.languages(of: request))
        case .reviews:
            let page = try await show.reviews(of: id, page: try request.page(), language: language)
            return TMDBFilmParts.reviews(page.value)
        case .similar:
            let page = try await show.similar(to: id, page: try request.page(), language: language)
            return TMDBFilmRow.page(page.value)
        case .recommendations:
            let page = try await show.recommendations(for: id, page: try request.page(), language: language)
            return TMDBFilmRow.page(page.value, mediaType: "movie")
        case .keywords: return TMDBFilmParts.keywords(movie.keywords)
        case .releaseDates: return TMDBFilmParts.releases(of: movie)
        case .externalIDs: return TMDBFilmParts.externalIDs(imdbID: TMDBNumber.title(of: movie))
        case .offers: return TMDBFilmParts.offers(try await show.offers(of: id).value)
        // Users have no lists here, and changes are not recorded.
        case .lists: return TMDBFilmRow.page(Page(try request.page(), of: [], size: 1))
        case .changes: return ["changes": []]
        case .translations: return try await self.translations(of: id)
        case .alternativeTitles: return try await self.titles(of: movie, country: request["country"])
        }
    }

    private func translations(of id: MovieID) async throws -> OrderedJSON {
        var rows: [OrderedJSON] = []
        for (language, country, film) in try await self.translated(id) {
            let names = TMDBLanguages.names(language)
            rows.append([
                "iso_3166_1": .string(country), "iso_639_1": .string(language.code), "name": .string(names.own),
                "english_name": .string(names.english),
                "data": [
                    "homepage": .string(film.homepage ?? ""), "overview": .string(film.summary.overview),
                    "runtime": .integer(film.runtimeMinutes ?? 0), "tagline": .string(film.tagline),
                    "title": .string(film.summary.title),
                ],
            ])
        }
        return ["translations": .array(rows)]
    }

    /// The titles in the catalogue's languages, except the original title.
    private func titles(of movie: Movie, country: String?) async throws -> OrderedJSON {
        let titles = try await self.translated(movie.id).filter { row in
            row.film.summary.title != movie.summary.originalTitle && (country == nil || row.country == country)
        }
        let rows: [OrderedJSON] = titles.map { row in
            ["iso_3166_1": .string(row.country), "title": .string(row.film.summary.title), "type": ""]
        }
        return ["titles": .array(rows)]
    }

    private func translated(_ id: MovieID) async throws -> [(language: Language, country: String, film: Movie)] {
        let repository = try self.services.sources.repository(of: id.source)
        var films: [(language: Language, country: String, film: Movie)] = []
        for case (let language?, let country) in Self.translations {
            if let film = try await repository.movie(id, language: LanguagePreference([language])) {
                films.append((language, country, film))
            }
        }
        return films
    }
}
