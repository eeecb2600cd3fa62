import HTTPServer
import MovieDomain
import MovieHTTP

/// A film as schema.org's `Movie`.
struct FilmData: Encodable, Sendable {
    private static let castLimit = 5

    private struct Named: Encodable, Sendable {
        let type = "Person"
        let name: String

        private enum CodingKeys: String, CodingKey {
            case type = "@type"
            case name
        }
    }

    /// Texts instead of numbers: their decimals are the shown ones.
    private struct Score: Encodable, Sendable {
        let type = "AggregateRating"
        let ratingValue: String
        let ratingCount: Int
        let bestRating = 10

        private enum CodingKeys: String, CodingKey {
            case type = "@type"
            case ratingValue, ratingCount, bestRating
        }
    }

    private let type = "Movie"
    private let name, url: String
    private let alternateName, description, image, datePublished, duration, inLanguage: String?
    private let genre: [String]?
    private let director, actors: [Named]?
    private let aggregateRating: Score?

    private enum CodingKeys: String, CodingKey {
        case type = "@type"
        case name, url, alternateName, description, image, datePublished, duration, inLanguage, genre, director
        case actors = "actor"
        case aggregateRating
    }

    /// - Parameters:
    ///   - description: A few sentences; `nil` if unknown.
    ///   - image: The poster's path or URL; `nil` if there is none.
    init(_ movie: Movie, description: String?, image: String?, in request: PageRequest) {
        let publicURL = request.site.useCases.publicURL
        let film = movie.summary
        self.name = film.title
        self.url = publicURL.address(of: request.links.film(film.id))
        self.alternateName = film.originalTitle == film.title ? nil : film.originalTitle
        self.description = description
        self.image = image.map { $0.hasPrefix("/") ? publicURL.address(of: $0) : $0 }
        self.datePublished = film.releaseDate?.description ?? film.year.map(String.init)
        self.duration = movie.runtimeMinutes.map { "PT\($0)M" }
        self.inLanguage = film.originalLanguage?.code
        self.genre = film.genres.isEmpty ? nil : film.genres.map(\.name)
        let names = { (names: [String]) -> [Named]? in
            names.isEmpty ? nil : names.prefix(Self.castLimit).map { Named(name: $0) }
        }
        let directors = movie.credits.crew.filter { $0.job == .director }.map(\.name)
        self.director = names(directors.isEmpty ? film.directors : directors)
        let cast = movie.credits.cast.map(\.name)
        self.actors = names(cast.isEmpty ? film.cast : cast)
        // The embedded catalogue's scores are invented: search engines must not take them for ratings by people.
        let score = film.id.source == .embedded ? nil : film.score
        self.aggregateRating = score.map {
            Score(ratingValue: request.formats.score($0.average), ratingCount: $0.count)
        }
    }
}
