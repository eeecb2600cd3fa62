import BoundedCache
import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /films/{id}/card.svg?language`: the title card of a film, to which pictures of pages that fail redirect.
struct TitleCardRoute: Sendable {
    private static let policy = "default-src 'none'"

    let site: Website

    func register(on router: Router<ServerRequestContext>) {
        router.get("/films/:id/card.svg") { request, context in
            // Without header fields: the address alone determines the card.
            let parsed = try PageRequest(
                target: context.target, headers: [:], client: context.clientAddress.description, site: self.site)
            guard let id = MovieID(parsed.segments[1]) else {
                throw Problem(.invalidID, "the id is not a film id")
            }
            let card = try await self.card(of: id, parsed, context)
            var file = WebAssets.Asset(
                Array(card.document.utf8), type: "image/svg+xml",
                caching: "public, max-age=\(CacheLifetime.details)")
            file.policy = Self.policy
            var response = file.response(to: request)
            // Pages may be at another origin than the public URL, at which pictures are.
            response.headers.openToAllOrigins()
            return response
        }
    }

    /// The title of a film of a recent page requires no request to the film's source.
    private func card(
        of id: MovieID, _ request: PageRequest, _ context: ServerRequestContext
    ) async throws -> TitleCard {
        let language = request.language.first
        if let film = self.site.titles.film(id, in: language) {
            return try self.site.titleCard(of: film, in: language)
        }
        let film = try await context.whileClientPresent { try await request.film(id) }
        return try self.site.titleCard(of: film, in: language)
    }
}

/// Titles and backdrops of the films of recent pages, for title cards.
final class FilmTitles: Sendable {
    /// About 500 bytes each.
    private static let limit = 8192

    private struct Key: Hashable {
        let id: MovieID
        let language: Language
    }

    private let films = BoundedCache<Key, MovieSummary>(countLimit: FilmTitles.limit)

    /// - Parameter language: The language of the film's texts.
    func keep(_ film: MovieSummary, in language: Language) {
        let facts = MovieSummary(
            id: film.id, title: film.title, originalTitle: film.originalTitle,
            originalLanguage: film.originalLanguage, backdrop: film.backdrop)
        if let facts { self.films.insert(facts, for: Key(id: film.id, language: language)) }
    }

    func film(_ id: MovieID, in language: Language) -> MovieSummary? {
        self.films.value(for: Key(id: id, language: language))
    }
}
