import BoundedCache
package import MovieDomain
package import UpstreamClient

/// The Movie Database (version 3 of its API): films, lists, search, accounts and posters.
///
/// Its terms require ``MovieSource/attribution`` wherever its data is shown. No data is stored for more than six months
/// (``UpstreamLifetimes/maxAge``), except id, title and year of favourites.
package final class TMDB: Sendable {
    package static let baseURL = "https://api.themoviedb.org/3"
    package static let websiteURL = "https://www.themoviedb.org"
    /// The last page of any list; TMDB rejects later ones.
    package static let pageLimit = 500
    static let pageSize = 20

    /// Freshness lifetimes without `Cache-Control`: about TMDB's usual values.
    enum Lifetime {
        static let details = Duration.seconds(5 * 3600)
        static let lists = Duration.seconds(1800)
        static let search = Duration.seconds(4 * 3600)
        static let genres = Duration.seconds(24 * 3600)
        static let trendingToday = Duration.seconds(900)
        static let trendingThisWeek = Duration.seconds(2 * 3600)
        static let collections = Duration.seconds(24 * 3600)
        static let images = Duration.seconds(24 * 3600)
        /// JustWatch's offers change at TMDB at this interval.
        static let offers = Duration.seconds(24 * 3600)
        static let names = Duration.seconds(24 * 3600)
    }

    let client: UpstreamClient
    let posterLanguage: Language
    let websiteURL: String
    let now: @Sendable () -> Instant
    /// Posters from recent responses, which save requests for details; the inner `nil` marks a film without a poster.
    /// About 120 bytes per entry.
    let knownPosters = BoundedCache<PosterKey, PictureLocation?>(countLimit: 16_384)
    /// Overviews from recent responses, for lists in languages without the film's overview: films are in several lists.
    let knownOverviews: BoundedCache<PosterKey, String>
    /// Undelivered sessions by request token, because the request for the account failed.
    let pendingSessions = BoundedCache<String, String>(countLimit: 256)
    let ratedFilms: TMDBAccountFilms<Rating>
    let watchlistFilms: TMDBAccountFilms<Void>

    /// The size limit of cached overviews in bytes: about 7000 overviews.
    private static let overviewByteLimit = 4 << 20
    private static let overviewLifetime = Duration.seconds(24 * 3600)

    struct PosterKey: Hashable, Sendable {
        let id: MovieID
        let language: Language
    }

    /// - Parameters:
    ///   - key: An API key (version 3), or a read access token (version 4), which has two dots.
    ///   - posterLanguage: The default language of posters: TMDB has one poster per language.
    ///   - baseURL: The URL of the API without a trailing slash.
    ///   - websiteURL: The URL of the website on which users approve, without a trailing slash.
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

    /// - Throws: `CancellationError`.
    package func usage() async throws -> UpstreamUsage { try await self.client.usage() }

    package var movies: TMDBMovies { TMDBMovies(tmdb: self) }
    package var catalogue: TMDBCatalogue { TMDBCatalogue(tmdb: self) }
    package var collections: TMDBCollections { TMDBCollections(tmdb: self) }
    package var series: TMDBSeries { TMDBSeries(tmdb: self) }
    package var people: TMDBPeople { TMDBPeople(tmdb: self) }
    package var accounts: TMDBAccounts { TMDBAccounts(tmdb: self) }
    /// Posters of TMDB's own films, and for films of other sources.
    package var posters: TMDBPosters { TMDBPosters(tmdb: self) }

    /// Cancels all background work, and starts no more.
    package func close() {
        self.ratedFilms.close()
        self.watchlistFilms.close()
        self.client.close()
    }

    /// The credential of a key. Tokens of version 4 are JSON Web Tokens (RFC 7519): three parts separated by dots.
    static func credential(_ key: String) -> UpstreamCredential {
        key.count { $0 == "." } == 2
            ? .header(name: "Authorization", value: "Bearer \(key)") : .query(name: "api_key", value: key)
    }

    /// The value of the `language` parameter.
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
    /// A page of films in the first preferred language. Empty texts are filled in the next languages and English, from
    /// recent responses or with at most two more requests.
    ///
    /// - Parameters:
    ///   - isPermanent: Whether the list always exists: a missing list is then TMDB's failure.
    ///   - isOnePage: Whether TMDB may ignore the page number: a response with another number means an empty page.
    /// - Returns: `nil` if there is no such list.
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
        // After the list, which has priority if a response may start only few requests.
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

    /// Fills empty overviews in a language from recent responses.
    private func fillKnown(_ page: inout TMDBPage, in language: Language) {
        for index in page.rows.indices where page.rows[index].overview.isEmpty {
            let key = PosterKey(id: page.rows[index].id, language: language)
            page.rows[index].overview = self.knownOverviews.value(for: key) ?? ""
        }
    }

    /// A page of a list as received; caches its posters and overviews.
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
    /// Caches a text unless it is empty. The overhead of an entry is estimated.
    func insertOverview(_ text: String, for key: TMDB.PosterKey) {
        if !text.isEmpty { self.insert(text, for: key, cost: text.utf8.count + 160) }
    }
}

extension LanguagePreference {
    private static let fillerLimit = 2

    /// The languages to fill empty texts from: the next preferred ones, the film's own, English.
    /// - Parameter original: The film's own language, if known.
    func fillers(original: Language? = nil) -> ArraySlice<Language> {
        LanguagePreference(self.languages + [original, .english].compactMap { $0 }).languages.dropFirst()
            .prefix(Self.fillerLimit)
    }
}
