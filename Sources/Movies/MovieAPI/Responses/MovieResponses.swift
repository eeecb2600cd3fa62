import HTTPSemantics
import HTTPServer
import MovieDomain
package import PosterAPI
import PosterPipeline

/// Builds the responses of the movie resources, with posters and favourites.
package struct MovieResponses: Sendable {
    /// What they answer from.
    let services: MovieServices
    let principals: PrincipalResolver
    let posters: any PosterLookup
    let policies: ReloadablePicturePolicy
    let links: PosterURLBuilder
    /// Encoded responses to anonymous clients.
    let cache: ResponseCache

    package init(
        services: MovieServices, principals: PrincipalResolver, posters: any PosterLookup,
        policies: ReloadablePicturePolicy,
        links: PosterURLBuilder
    ) {
        self.services = services
        self.principals = principals
        self.posters = posters
        self.policies = policies
        self.links = links
        self.cache = ResponseCache(lifetime: services.responseCacheLifetime)
    }

    /// Summaries of movies as JSON objects.
    ///
    /// - Throws: ``Problem``, `CancellationError`.
    func films(_ movies: [MovieSummary], for principal: Principal) async throws -> [MovieSummaryObject] {
        let favouriteIDs = try await self.favouriteIDs(movies.map(\.id), for: principal)
        return try movies.map { movie in
            MovieSummaryObject(movie, poster: try self.poster(of: movie), isFavourite: favouriteIDs.contains(movie.id))
        }
    }

    /// Those of `ids` that are the principal's favourites; none while the library cannot be read: films without marks are better than an error.
    /// The library logs the failure itself.
    ///
    /// - Throws: `CancellationError`.
    func favouriteIDs(_ ids: [MovieID], for principal: Principal) async throws -> Set<MovieID> {
        guard let owner = principal.owner, !ids.isEmpty else { return [] }
        do {
            return try await self.services.favourites.favouriteIDs(among: ids, of: owner)
        } catch is StorageFailure {
            return []
        }
    }

    /// - Returns: nil when it is known that there is none.
    func poster(of movie: MovieSummary) throws(Problem) -> PosterObject? {
        try self.poster(of: movie.id, reference: movie.poster)
    }

    /// - Returns: nil when it is known that there is none.
    func poster(of id: MovieID, reference: PosterReference?) throws(Problem) -> PosterObject? {
        guard let id = PosterID(id) else { return nil }
        return try self.posters.poster(of: id, reference: reference)
    }

    /// Where clients reach the server.
    var publicURL: PublicURL? { self.links.publicURL }

    /// Where pictures beside posters are.
    var pictures: PictureAddresses {
        let policy = self.policies.policy
        return PictureAddresses(
            links: self.links.signed(with: policy.requiresSignatures ? policy.signingKeys : nil, until: nil)
                .withClientHints(policy.usesHints),
            servesTMDBImages: policy.servesTMDBImages, ladder: policy.ladder)
    }
}

extension MovieResponses {
    /// A film with all that is known of it, as an answer.
    ///
    /// - Throws: `UnknownMovie`, `SourceFailure`, `StorageFailure`, ``Problem``, `CancellationError`.
    func details(of id: MovieID, _ parsed: MovieRequest) async throws -> JSONResponse {
        let principal = try await self.principals.principal(of: parsed.headers)
        let show = ShowMovie(sources: self.services.sources, supplements: self.services.supplements)
        let details = try await show(id, language: parsed.language)
        let object = try await self.object(details, of: id, for: principal, language: parsed.language)
        // What is missing may be there in a second.
        let keeping = details.missing.isEmpty ? principal.keeping(CacheLifetime.details) : .none
        return try self.response(object, to: principal, keeping: keeping, parsed)
    }

    /// A film with its sections.
    ///
    /// - Parameter language: Of what the service itself says in them.
    /// - Throws: `StorageFailure`, ``Problem``, `CancellationError`.
    func object(
        _ details: MovieDetails, of id: MovieID, for principal: Principal, language: LanguagePreference
    ) async throws -> MovieObject {
        let films = try await self.films([details.movie.summary], for: principal)
        guard let film = films.first, let posterID = PosterID(id) else { throw Problem.unknownMovie(id) }
        let pictures = self.pictures
        let sections = try details.movie.sections(in: language).map { section throws(Problem) in
            try SectionObject(section, of: posterID, addresses: pictures)
        }
        return MovieObject(details, film: film, sections: sections)
    }
}

extension MovieResponses {
    /// What people went to see, with posters.
    ///
    /// - Throws: `StorageFailure`, ``Problem``, `CancellationError`.
    func object(_ boxOffice: BoxOffice, for principal: Principal) async throws -> BoxOfficeObject {
        let favouriteIDs = try await self.favouriteIDs(boxOffice.entries.map(\.movieID), for: principal)
        let entries = try boxOffice.entries.map { entry in
            BoxOfficeObject.Entry(
                entry, poster: try self.poster(of: entry.movieID, reference: entry.poster),
                isFavourite: favouriteIDs.contains(entry.movieID))
        }
        return BoxOfficeObject(
            boxOffice, isComplete: boxOffice.period.isOver(at: self.services.now()), results: entries)
    }
}
