import BoundedCache
package import MovieDomain
package import UpstreamClient

/// The Movie Database, version 3 of its API: films, lists, search, accounts, posters.
///
/// Its terms: ``MovieSource/attribution`` is shown wherever its data is, and nothing is kept for more than six months
/// (``UpstreamLifetimes/maxAge``), but for id, title and year of favourites.
package final class TMDB: Sendable {
    package static let baseURL = "https://api.themoviedb.org/3"
    /// Where users approve.
    package static let websiteURL = "https://www.themoviedb.org"
    /// The last page of any list; TMDB rejects later ones.
    package static let pageLimit = 500
    /// The most films of a page.
    static let pageSize = 20

    /// Freshness without `Cache-Control`: about what TMDB usually sends.
    enum Lifetime {
        static let details = Duration.seconds(5 * 3600)
        static let lists = Duration.seconds(1800)
        static let search = Duration.seconds(4 * 3600)
        static let genres = Duration.seconds(24 * 3600)
        static let trendingToday = Duration.seconds(900)
        static let trendingThisWeek = Duration.seconds(2 * 3600)
        static let collections = Duration.seconds(24 * 3600)
        static let images = Duration.seconds(24 * 3600)
        /// As often as JustWatch's offers change at TMDB.
        static let offers = Duration.seconds(24 * 3600)
        static let names = Duration.seconds(24 * 3600)
    }

    let client: UpstreamClient
    let posterLanguage: Language
    let websiteURL: String
    /// The time of day.
    let now: @Sendable () -> Instant
    /// The posters in recent responses, which saves requests of details; nil within for films without one. About 120 bytes each.
    let knownPosters = BoundedCache<PosterKey, PictureLocation?>(countLimit: 16_384)
    /// The overviews in recent responses, for lists in languages in which the film has none: films are in several lists.
    let knownOverviews: BoundedCache<PosterKey, String>
    /// Sessions by request token that were not delivered yet, because the request for the account failed.
    let pendingSessions = BoundedCache<String, String>(countLimit: 256)
    /// The ratings of accounts.
    let ratedFilms: TMDBAccountFilms<Rating>
    /// The films on the watchlists of accounts.
    let watchlistFilms: TMDBAccountFilms<Void>

    /// What remembered overviews may take, in bytes: about 7000 of them.
    private static let overviewByteLimit = 4 << 20
    private static let overviewLifetime = Duration.seconds(24 * 3600)

    /// A film, and the language of a response about it.
    struct PosterKey: Hashable, Sendable {
        let id: MovieID
        let language: Language
    }

    /// - Parameters:
    ///   - key: Of version 3, or a read access token of version 4, which has two dots.
    ///   - posterLanguage: Of posters that are requested without a language: TMDB has one per language.
    ///   - baseURL: Of the API, without a slash at its end.
    ///   - websiteURL: Where users approve, without a slash at its end.
    package init(
        key: String, posterLanguage: Language = .english, baseURL: String = TMDB.baseURL,
        websiteURL: String = TMDB.websiteURL, in environment: UpstreamClient.Environment
    ) {
        self.posterLanguage = posterLanguage
        let now = environment.now
        self.knownOverviews = BoundedCache(
            costLimit: Self.overviewByteLimit, timeToLive: Self.overviewLifetime,
            now: { UInt64(max(0, now().secondsSince1970)) * 1_000_000_000 })
        self.websiteURL = websiteURL
        self.now = environment.now
        self.ratedFilms = TMDBAccountFilms(
            waitLimit: environment.supplementTimeout, now: environment.now, sleep: environment.sleep)
        self.watchlistFilms = TMDBAccountFilms(
            waitLimit: environment.supplementTimeout, now: environment.now, sleep: environment.sleep)
        self.client = UpstreamClient(
            source: .tmdb, baseURL: baseURL, credentials: [Self.credential(key)], in: environment,
            classify: TMDBStatus.verdict)
    }

    /// Single films.
    package var movies: TMDBMovies { TMDBMovies(tmdb: self) }
    /// Lists and search.
    package var catalogue: TMDBCatalogue { TMDBCatalogue(tmdb: self) }
    /// Films that belong together.
    package var collections: TMDBCollections { TMDBCollections(tmdb: self) }
    /// People and their search.
    package var people: TMDBPeople { TMDBPeople(tmdb: self) }
    /// Sign-in, ratings and watchlists.
    package var accounts: TMDBAccounts { TMDBAccounts(tmdb: self) }
    /// Posters of its own films and for others'.
    package var posters: TMDBPosters { TMDBPosters(tmdb: self) }

    /// Cancels all that goes on in the background, and starts nothing there any more.
    package func close() {
        self.ratedFilms.close()
        self.watchlistFilms.close()
        self.client.close()
    }

    /// Tokens of version 4 are JSON Web Tokens (RFC 7519): three parts with dots between them.
    static func credential(_ key: String) -> UpstreamCredential {
        key.count { $0 == "." } == 2
            ? .header(name: "Authorization", value: "Bearer \(key)") : .query(name: "api_key", value: key)
    }

    /// The `language` parameter.
    static func tag(_ language: Language) -> String {
        switch language.code {
        case "ko": "ko-KR"
        case "en": "en-US"
        case "ja": "ja-JP"
        default: language.code
        }
    }
}

extension TMDB {
    /// A page of films in the first preferred language; empty texts come from the next ones and from English: from recent responses,
    /// else with two more requests at most.
    ///
    /// - Parameters:
    ///   - isPermanent: Whether the list always exists; that TMDB has none is its failure then.
    ///   - isOnePage: Whether TMDB may ignore the page number: an answer about another page is not that page then.
    /// - Returns: nil when there is no such list.
    func page(
        _ path: String, query: [(name: String, value: String)] = [], page: Int, language: LanguagePreference,
        lifetime: Duration, isPermanent: Bool = true, isOnePage: Bool = false
    ) async throws -> Page<MovieSummary>? {
        guard page <= Self.pageLimit else { return Page(number: page, results: [], totalPages: 0, totalResults: 0) }
        let query = query + [("page", String(max(1, page)))]
        let first = try await self.rows(
            path, query: query, language: language.first, lifetime: lifetime, isPermanent: isPermanent)
        guard var rows = first else { return nil }
        if isOnePage, let number = rows.number, number != max(1, page) {
            return Page(number: page, results: [], totalPages: 1, totalResults: rows.rows.count)
        }
        // After the list, which has precedence where a response may start few requests.
        async let genres = Supplement.ask { try await self.genreNames(language: language) }
        let fillers = language.fillers()
        do {
            for other in fillers where rows.hasGaps {
                self.fillKnown(&rows, in: other)
                guard rows.hasGaps else { break }
                let others = try await Supplement.ask {
                    try await self.rows(
                        path, query: query, language: other, lifetime: lifetime, isPermanent: isPermanent)
                }
                if let others { rows.fill(from: others) }
            }
        } catch is SourceFailure {
            // Logged and recorded by the client; a list with gaps is still a list.
            for other in fillers { self.fillKnown(&rows, in: other) }
        }
        return rows.page(max(1, page), try await genres)
    }

    /// Fills empty overviews from recent responses in a language.
    private func fillKnown(_ page: inout TMDBPage, in language: Language) {
        for index in page.rows.indices where page.rows[index].overview.isEmpty {
            let key = PosterKey(id: page.rows[index].id, language: language)
            page.rows[index].overview = self.knownOverviews.value(for: key) ?? ""
        }
    }

    /// A page of a list as received; its posters and overviews are cached.
    func rows(
        _ path: String, query: [(name: String, value: String)], language: Language, lifetime: Duration,
        isPermanent: Bool = true
    ) async throws -> TMDBPage? {
        let (posters, overviews) = (self.knownPosters, self.knownOverviews)
        let request = UpstreamRequest(
            path, query: query + [("language", Self.tag(language))], language: language, lifetime: lifetime,
            isPermanent: isPermanent)
        return try await self.client.get(request) { answer in
            let page = try TMDBPage(decoding: answer)
            try DecodingPool.checkCompleteness()
            for row in page.rows {
                let key = PosterKey(id: row.id, language: language)
                posters.insert(row.poster, for: key)
                overviews.insertOverview(row.overview, for: key)
            }
            return page
        }
    }
}

extension BoundedCache<TMDB.PosterKey, String> {
    /// Unless it is empty. What an entry takes beside the text is estimated.
    func insertOverview(_ text: String, for key: TMDB.PosterKey) {
        if !text.isEmpty { self.insert(text, for: key, cost: text.utf8.count + 160) }
    }
}

extension LanguagePreference {
    /// The most languages that are requested for empty texts.
    private static let fillerLimit = 2

    /// The languages of texts that are empty in the first one: the next ones, the film's own, English.
    /// - Parameter original: The film's own, if it is known.
    func fillers(original: Language? = nil) -> ArraySlice<Language> {
        LanguagePreference(self.languages + [original, .english].compactMap { $0 }).languages.dropFirst()
            .prefix(Self.fillerLimit)
    }
}
