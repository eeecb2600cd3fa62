import MovieDomain
import MovieSources
import OneSheetConfiguration
import UpstreamClient

/// Clients of the sources that have a key.
struct UpstreamClients {
    let tmdb: TMDB?
    let omdb, mdblist, kobis, kmdb, kakao: UpstreamClient?
    let iTunes: (UpstreamClient, ITunesCountry)?

    init(_ settings: SourceSettings, in environment: UpstreamClient.Environment) {
        let base = { (source: MovieSource, own: String) in settings.baseURLs[source] ?? own }
        let daily = { (source: MovieSource, own: Int) in settings.dailyRequests[source] ?? own }
        self.tmdb = settings.keys[.tmdb].map {
            TMDB(
                key: $0, posterLanguage: settings.language, baseURL: base(.tmdb, TMDB.baseURL), in: environment)
        }
        self.omdb = settings.keys[.omdb].map {
            .omdb(
                key: $0, baseURL: base(.omdb, UpstreamClient.omdbBaseURL),
                dailyRequests: daily(.omdb, UpstreamClient.omdbDailyRequests), in: environment)
        }
        self.mdblist = settings.keys[.mdblist].map {
            .mdblist(
                key: $0, baseURL: base(.mdblist, UpstreamClient.mdblistBaseURL),
                dailyRequests: daily(.mdblist, UpstreamClient.mdblistDailyRequests), in: environment)
        }
        self.kobis = settings.keys[.kobis].map {
            .kobis(
                key: $0, baseURL: base(.kobis, UpstreamClient.kobisBaseURL),
                dailyRequests: daily(.kobis, UpstreamClient.kobisDailyRequests), in: environment)
        }
        self.kmdb = settings.keys[.kmdb].map {
            .kmdb(
                key: $0, baseURL: base(.kmdb, UpstreamClient.kmdbBaseURL),
                dailyRequests: daily(.kmdb, UpstreamClient.kmdbDailyRequests), in: environment)
        }
        self.kakao = settings.keys[.kakao].map {
            .kakao(
                key: $0, baseURL: base(.kakao, UpstreamClient.kakaoBaseURL),
                dailyRequests: daily(.kakao, UpstreamClient.kakaoDailyRequests), in: environment)
        }
        self.iTunes = settings.storeCountry.map { country in
            (.iTunes(baseURL: base(.itunes, UpstreamClient.iTunesBaseURL), in: environment), country)
        }
    }

    /// - Throws: `CancellationError`.
    func usage() async throws -> [UpstreamUsage] {
        var usage = [try await self.tmdb?.usage()].compactMap(\.self)
        for client in self.others {
            usage.append(try await client.usage())
        }
        return usage
    }

    func close() {
        self.tmdb?.close()
        for client in self.others { client.close() }
    }

    /// The clients of all sources but TMDB.
    private var others: [UpstreamClient] {
        [self.omdb, self.mdblist, self.kobis, self.kmdb, self.kakao, self.iTunes?.0].compactMap(\.self)
    }
}

extension UpstreamClients {
    /// A film with a known number at IMDb and at KMDb, and a day with a box office: small documents that stay.
    private static let (imdbID, kmdbFilm, boxOfficeDay) = ("tt0133093", "kmdb:F00001", "20240101")

    /// Sends each source one small request, which fails if the source rejects the key. Returns whether the response
    /// confirms the key: some sources answer requests with an unknown key as if there were no results.
    var probes: [(source: MovieSource, run: @Sendable () async throws -> Bool)] {
        var probes: [(MovieSource, @Sendable () async throws -> Bool)] = []
        func add(_ client: UpstreamClient?, _ path: String, _ query: [(name: String, value: String)]) {
            guard let client else { return }
            probes.append(
                (client.source, { try await client.get(UpstreamRequest(path, query: query)) { $0.body.count } != nil }))
        }
        if let tmdb {
            probes.append(
                (.tmdb, { try await tmdb.document("/configuration", query: [], language: nil, lifetime: nil) != nil }))
        }
        add(self.omdb, "/", [("i", Self.imdbID), ("r", "json")])
        add(self.mdblist, "/imdb/movie/\(Self.imdbID)", [])
        add(
            self.kobis, "/boxoffice/searchDailyBoxOfficeList.json",
            [("targetDt", Self.boxOfficeDay), ("itemPerPage", "1")])
        if let kmdb, let film = MovieID(Self.kmdbFilm) {
            // The source has no documented text for a rejected key: only a film shows that it was accepted.
            probes.append(
                (.kmdb, { try await KMDbMovies(kmdb).movie(film, language: LanguagePreference([])) != nil }))
        }
        add(self.kakao, "/v2/search/image", [("query", "poster"), ("size", "1")])
        if let (client, country) = self.iTunes {
            add(
                client, "/search",
                [("term", "film"), ("country", country.description), ("media", "movie"), ("limit", "1")])
        }
        return probes
    }

    /// The base URLs of the configured sources' APIs.
    static func baseURLs(_ settings: SourceSettings) -> [(source: MovieSource, url: String)] {
        var own: [(MovieSource, String)] = [
            (.tmdb, TMDB.baseURL), (.omdb, UpstreamClient.omdbBaseURL), (.mdblist, UpstreamClient.mdblistBaseURL),
            (.kobis, UpstreamClient.kobisBaseURL), (.kmdb, UpstreamClient.kmdbBaseURL),
            (.kakao, UpstreamClient.kakaoBaseURL),
        ].filter { settings.keys[$0.0] != nil }
        if settings.storeCountry != nil { own.append((.itunes, UpstreamClient.iTunesBaseURL)) }
        return own.map { ($0, settings.baseURLs[$0] ?? $1) }
    }
}
