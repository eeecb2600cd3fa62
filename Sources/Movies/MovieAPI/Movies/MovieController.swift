import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /movies/{id}`, and `…/credits`, `…/reviews`, `…/similar`, `…/recommendations`, `…/videos` and `…/releases`
struct MovieController: Sendable {
    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        self.responses.getFilms("/movies/:id", known: [QueryParameters.regionParameter], on: router) { parsed in
            try await self.responses.details(of: try parsed.movieID(), parsed)
        }
        self.responses.get("/movies/:id/credits", on: router, self.credits)
        self.responses.get("/movies/:id/reviews", known: ["page"], on: router, self.reviews)
        self.responses.getFilms("/movies/:id/similar", known: ["page"], on: router, self.similar)
        self.responses.getFilms("/movies/:id/recommendations", known: ["page"], on: router, self.recommendations)
        self.responses.get("/movies/:id/videos", on: router, self.videos)
        self.responses.get(
            "/movies/:id/releases", known: [QueryParameters.regionParameter], on: router, self.releases)
    }

    private var movies: ShowMovie { self.responses.services.showMovie }

    private struct CreditsObject: Encodable {
        struct CrewObject: Encodable {
            /// `nil` if the source has no pages of people.
            let id: String?
            let name: String
            let department: String?
            let job, sourceJob: String

            init(_ member: Credits.CrewMember) {
                self.id = member.id?.description
                self.name = member.name
                self.department = member.department?.rawValue
                self.job = member.job.rawValue
                self.sourceJob = member.sourceJob
            }
        }

        let id: String
        let cast: [CastObject]
        let crew: [CrewObject]
        let attribution: [String]?
    }

    @Sendable
    private func credits(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let id = try parsed.movieID()
        let found = try await self.movies.credits(of: id, language: parsed.language)
        let credits = found.value
        return try EncodedResponse.json(
            CreditsObject(
                id: id.description, cast: try credits.cast.map { try CastObject($0, self.responses.pictures) },
                crew: credits.crew.map(CreditsObject.CrewObject.init),
                attribution: Attribution.texts(of: [found.source])),
            caching: .shared(seconds: CacheLifetime.details), variance: parsed.languages.variance)
    }

    @Sendable
    private func reviews(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let id = try parsed.movieID()
        let number = try parsed.query.page()
        let found = try await self.movies.reviews(of: id, page: number, language: parsed.language)
        return try self.responses.response(
            found.value, results: found.value.results.map(ReviewObject.init), sources: [found.source],
            caching: .shared(seconds: CacheLifetime.details), variance: parsed.languages.variance, parsed)
    }

    @Sendable
    private func similar(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let id = try parsed.movieID()
        let number = try parsed.query.page()
        let found = try await self.movies.similar(to: id, page: number, language: parsed.language)
        return try self.responses.response(
            found.value, limit: QueryParameters.pageLimit, source: found.source, parsed)
    }

    @Sendable
    private func recommendations(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let id = try parsed.movieID()
        let number = try parsed.query.page()
        let found = try await self.movies.recommendations(for: id, page: number, language: parsed.language)
        return try self.responses.response(
            found.value, limit: QueryParameters.pageLimit, source: found.source, parsed)
    }

    private struct VideosObject: Encodable {
        let id: String
        let videos: [VideoObject]
        let attribution: [String]?
    }

    @Sendable
    private func videos(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let id = try parsed.movieID()
        let found = try await self.movies.videos(of: id, language: parsed.language)
        return try EncodedResponse.json(
            VideosObject(
                id: id.description, videos: try found.value.map { try VideoObject($0, self.responses.pictures) },
                attribution: Attribution.texts(of: [found.source])),
            caching: .shared(seconds: CacheLifetime.details), variance: parsed.languages.variance)
    }

    private struct ReleasesObject: Encodable {
        let id: String
        let releases: [ReleaseObject]
        let attribution: [String]?
    }

    /// The releases in all countries or in the requested one. The server's default region would hide the others.
    @Sendable
    private func releases(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let id = try parsed.movieID()
        let region = try parsed.query.region()
        let details = try await self.movies.joined(id, language: parsed.language)
        // Missing releases may be available a second later.
        if !details.missing.isEmpty { FreshnessRecorder.current?.recordGap() }
        let releases = Release.sorted(details.movie.releases).filter { region == nil || $0.country == region }
        // The response is the same in all languages: the language only determines the stored details that are read.
        return try EncodedResponse.json(
            ReleasesObject(
                id: id.description, releases: releases.map(ReleaseObject.init),
                attribution: Attribution.texts(of: details.sources)),
            caching: .shared(seconds: CacheLifetime.details))
    }
}
