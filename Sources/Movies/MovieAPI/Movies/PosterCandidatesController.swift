package import HTTPSemantics
package import HTTPServer
package import Hummingbird
package import MovieDomain

/// `GET /movies/{id}/poster-candidates`
package struct PosterCandidatesController: Sendable {
    /// For how long everybody may keep an answer, in seconds: sources that failed may be back then.
    private static let seconds = 60

    let decider: any PosterDecider

    package init(decider: any PosterDecider) {
        self.decider = decider
    }

    package func register(on router: Router<PosterRequestContext>) {
        router.get("/movies/:id/poster-candidates", use: self.candidates)
    }

    @Sendable
    private func candidates(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let id = try FilmOrder(request, context, default: .korean).movieID()
        let decision = try await context.whileClientPresent { try await self.decider.decision(for: id) }
        return try JSONAnswer(PosterCandidates(decision, of: id), keeping: .shared(seconds: Self.seconds))
            .response(to: request)
    }
}

extension DecidePoster.Failure: ProblemCause {
    package var problem: Problem {
        switch self {
        case .unknownFilm(let id): .unknownMovie(id)
        }
    }
}
