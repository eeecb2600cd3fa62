import Hummingbird
import MovieDomain
import PosterPipeline

/// `GET /movies/{id}/poster-candidates`
struct PosterCandidatesController: Sendable {
    /// For how long everybody may keep an answer, in seconds: sources that failed may be back then.
    private static let seconds = 60

    let decider: any PosterDecider

    func register(on router: Router<PosterRequestContext>) {
        router.get("/movies/:id/poster-candidates", use: self.candidates)
    }

    @Sendable
    private func candidates(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        _ = try FilmQuery(target, known: [])
        let id = try Self.id(target)
        let decision = try await context.whileClientPresent { try await self.decider.decision(for: id) }
        return try JSONAnswer(PosterCandidates(decision, of: id), keeping: .shared(seconds: Self.seconds))
            .response(to: request)
    }

    private static func id(_ target: RequestTarget) throws -> MovieID {
        guard target.segments.count == 3, let text = PercentEncoding.decode(target.segments[1]) else {
            throw HTTPError(.notFound)
        }
        guard let id = MovieID(text) else {
            throw Problem(.invalidID, "a film's id is [source:]key, such as tmdb:603 or nosferatu-1922")
        }
        return id
    }
}

extension DecidePoster.Failure: ProblemCause {
    var problem: Problem {
        switch self {
        case .unknownFilm(let id): Problem(.unknownMovie, "there is no film '\(id)'")
        }
    }
}
