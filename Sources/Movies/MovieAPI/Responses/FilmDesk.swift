import HTTPSemantics
import MovieDomain
package import PosterAPI
import PosterPipeline

/// What the resources about films have in common.
package struct FilmDesk: Sendable {
    /// What they answer from.
    let services: MovieServices
    let callers: FilmCallers
    let posters: any PosterKnowledge
    let policies: PicturePolicies
    let links: PosterURLBuilder
    /// What anybody was answered just now.
    let cache: ResponseCache

    package init(
        services: MovieServices, callers: FilmCallers, posters: any PosterKnowledge, policies: PicturePolicies,
        links: PosterURLBuilder
    ) {
        self.services = services
        self.callers = callers
        self.posters = posters
        self.policies = policies
        self.links = links
        self.cache = ResponseCache(lifetime: services.answerMemory)
    }

    /// Films as lists tell them.
    ///
    /// - Throws: ``Problem``, `CancellationError`.
    func films(_ movies: [MovieSummary], for caller: FilmCaller) async throws -> [FilmObject] {
        let marked = try await self.marked(movies.map(\.id), for: caller)
        return try movies.map { movie in
            FilmObject(movie, poster: try self.poster(of: movie), isFavourite: marked.contains(movie.id))
        }
    }

    /// Those of `ids` that are the caller's favourites; none while nobody knows them, for films are shown without marks rather than not at all.
    /// That the library cannot be read is told by itself.
    ///
    /// - Throws: `CancellationError`.
    func marked(_ ids: [MovieID], for caller: FilmCaller) async throws -> Set<MovieID> {
        guard let owner = caller.owner, !ids.isEmpty else { return [] }
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

    /// Where pictures beside posters are.
    var pictures: PictureAddresses {
        let policy = self.policies.policy
        return PictureAddresses(
            links: self.links.signed(with: policy.requiresSignatures ? policy.signingKeys : nil, until: nil)
                .withClientHints(policy.usesHints),
            servesTMDBImages: policy.servesTMDBImages, ladder: policy.ladder)
    }
}
