import BoundedCache
import FoundationEssentials
package import MovieDomain
import UpstreamClient

/// TMDB's films: one request per film and language returns details, credits, the latest reviews and videos.
package struct TMDBMovies: MovieRepository {
    /// The minimal age of outdated details before they are requested again.
    private static let renewalPause: Duration = .seconds(600)

    let tmdb: TMDB

    package var source: MovieSource { .tmdb }

    /// A film in the first preferred language. While it has no overview, its empty texts are filled from other
    /// languages, with at most two more requests: the next preferred languages, the film's original language, then
    /// English. Missing reviews are requested in English.
    package func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
        guard var film = try await self.film(id, language: language.first) else { return nil }
        var asked = [language.first]
        do {
            for other in language.fillers(original: film.movie.summary.originalLanguage)
            where film.movie.summary.overview.isEmpty {
                asked.append(other)
                let others = try await Supplement.ask { try await self.film(id, language: other) }
                if let others { film.fill(from: others) }
            }
            if film.movie.reviews.isEmpty, !asked.contains(.english) {
                let english = try await Supplement.ask { try await self.reviews(id, 1, .english) }
                if let english {
                    (film.movie.reviews, film.movie.reviewCount) = (english.reviews, english.totalResults)
                }
            }
        } catch is SourceFailure {
            // Logged and recorded by the client; a film with gaps is still a film.
        }
        return film.movie
    }

    /// From the details that the film's poster is taken from.
    package func scores(of id: MovieID) async throws -> FilmScores? {
        try await self.film(id, language: self.tmdb.posterLanguage).map { FilmScores($0.movie) }
    }

    package func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits? {
        try await self.film(id, language: language.first)?.credits
    }

    /// The reviews in the first preferred language if there are any, else in English; each page is sorted by the latest
    /// first.
    package func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review>? {
        guard id.source == .tmdb else { return nil }
        guard page <= TMDB.pageLimit else { return Page(number: page, results: [], totalPages: 0, totalResults: 0) }
        let number = max(1, page)
        guard let reviews = try await self.reviews(id, number, language.first) else { return nil }
        if reviews.totalResults == 0, language.first != .english {
            return try await self.reviews(id, number, .english)?.page(number)
        }
        return reviews.page(number)
    }

    package func similar(
        to id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>? {
        guard id.source == .tmdb else { return nil }
        let found = try await self.tmdb.page(
            "/movie/\(id.key)/similar", page: page, language: language, lifetime: TMDB.Lifetime.search,
            isPermanent: false)
        return found.map { page in page.replacing(page.results.filter { $0.id != id }).limited(to: TMDB.pageSize) }
    }

    package func recommendations(
        for id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>? {
        guard id.source == .tmdb else { return nil }
        let found = try await self.tmdb.page(
            "/movie/\(id.key)/recommendations", page: page, language: language, lifetime: TMDB.Lifetime.search,
            isPermanent: false)
        // Some pages have 21 films.
        return found.map { page in
            page.replacing(page.results.filter { $0.id != id }).limited(to: TMDB.pageSize)
        }
    }

    /// The videos in the details, else in English.
    package func videos(of id: MovieID, language: LanguagePreference) async throws -> [Video]? {
        guard let film = try await self.film(id, language: language.first) else { return nil }
        guard film.movie.videos.isEmpty, language.first != .english else { return film.movie.videos }
        let request = UpstreamRequest(
            "/movie/\(id.key)/videos", query: [("language", TMDB.tag(.english))], language: .english,
            lifetime: TMDB.Lifetime.search)
        do {
            return try await Supplement.ask {
                try await self.tmdb.client.get(request) { try TMDBVideos.videos(decoding: $0) }
            } ?? []
        } catch is SourceFailure {
            // Logged and recorded by the client; the film has no videos in the reader's language.
            return []
        }
    }

    private func reviews(_ id: MovieID, _ page: Int, _ language: Language) async throws -> TMDBReviews? {
        let request = UpstreamRequest(
            "/movie/\(id.key)/reviews", query: [("page", String(page)), ("language", TMDB.tag(language))],
            language: language, lifetime: TMDB.Lifetime.search)
        return try await self.tmdb.client.get(request) { try TMDBReviews(decoding: $0) }
    }

    /// A film with its credits, pictures, reviews, releases, ids, videos and keywords.
    /// - Parameter isOutdated: Whether stored details have proved outdated: they are requested again unless they are
    ///   younger than ``renewalPause``.
    func film(_ id: MovieID, language: Language, isOutdated: Bool = false) async throws -> TMDBFilm? {
        guard id.source == .tmdb else { return nil }
        let otherLanguages = [language.code, "en", "null"].uniqued.joined(separator: ",")
        let (posters, overviews) = (self.tmdb.knownPosters, self.tmdb.knownOverviews)
        let request = UpstreamRequest(
            "/movie/\(id.key)",
            query: [
                ("language", TMDB.tag(language)), ("include_image_language", otherLanguages),
                ("include_video_language", otherLanguages),
                ("append_to_response", "credits,reviews,images,release_dates,external_ids,videos,keywords"),
            ], language: language, lifetime: TMDB.Lifetime.details)
        let decode: @Sendable (UpstreamResponse) throws -> TMDBFilm = { answer in
            let film = try TMDBFilm(decoding: answer, language: language)
            try DecodingPool.checkCompleteness()
            guard film.movie.id == id else { throw UnreadableResponse(reason: "is about another film") }
            let key = TMDB.PosterKey(id: id, language: language)
            posters.insert(film.movie.summary.poster?.location, for: key)
            overviews.insertOverview(film.movie.summary.overview, for: key)
            return film
        }
        return try await self.tmdb.client.get(
            request, notOlderThan: isOutdated ? Self.renewalPause : nil, decode: decode)
    }
}

extension TMDBMovies {
    /// The names in the credits, reduced from about 100,000 bytes to 200 for storage.
    package func names(of id: MovieID, language: LanguagePreference) async throws -> FilmNames? {
        guard id.source == .tmdb else { return nil }
        let request = UpstreamRequest(
            "/movie/\(id.key)/credits", query: [("language", TMDB.tag(language.first))], language: language.first,
            lifetime: TMDB.Lifetime.names, reduce: StoredNames.bytes)
        return try await self.tmdb.client.get(request) { try StoredNames.names(in: $0) }
    }
}

/// The stored form of a film's names.
private struct StoredNames: Encodable {
    let directors, cast: [String]

    @Sendable
    static func bytes(of answer: UpstreamResponse) throws -> [UInt8] {
        let credits = try TolerantJSON.object(answer.body)
        guard credits.has("cast") || credits.has("crew") else { throw UnreadableResponse(reason: "has no credits") }
        let names = FilmNames(TMDBCredits.credits(credits))
        return [UInt8](try JSONEncoder().encode(StoredNames(directors: names.directors, cast: names.cast)))
    }

    static func names(in stored: UpstreamResponse) throws -> FilmNames {
        let names = try TolerantJSON.object(stored.body)
        return FilmNames(directors: names.texts("directors"), cast: names.texts("cast"))
    }
}

/// A page of reviews, the latest first.
struct TMDBReviews: Sendable {
    let reviews: [Review]
    private let hasRows: Bool
    let totalPages: Int
    let totalResults: Int

    init(decoding answer: UpstreamResponse) throws {
        try self.init(TolerantJSON.object(answer.body))
    }

    init(_ object: TolerantObject) throws {
        guard object.has("results") else { throw UnreadableResponse(reason: "has no results") }
        let rows = object.rows("results")
        let reviews = rows.compactMap(Self.review).prefix(TMDB.pageSize)
        self.hasRows = !rows.isEmpty
        // Reviews without a time follow the others, in their order.
        self.reviews = reviews.enumerated().sorted { left, right in
            let moments = [left, right].map { $0.element.createdAt?.secondsSince1970 ?? .min }
            return (moments[1], left.offset) < (moments[0], right.offset)
        }.map(\.element)
        self.totalPages = min(TMDB.pageLimit, object.integer("total_pages") ?? (reviews.isEmpty ? 0 : 1))
        self.totalResults = object.integer("total_results") ?? reviews.count
    }

    func page(_ number: Int) -> Page<Review> {
        Page(
            number: number, results: self.reviews, hasRows: self.hasRows, statedPages: self.totalPages,
            statedResults: self.totalResults)
    }

    private static func review(_ row: TolerantObject) -> Review? {
        guard let content = row.text("content"), let id = row.text("id") else { return nil }
        let details = row.object("author_details")
        let author = row.text("author") ?? details?.text("name") ?? details?.text("username") ?? ""
        let url = WebURL.valid(row.text("url"))
        return Review(
            id: id, author: author, score: details?.number("rating"),
            content: content.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n"),
            createdAt: row.date("created_at")?.instant, url: url)
    }
}
