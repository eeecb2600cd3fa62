import MovieDomain

@testable import HTTPSemantics
@testable import HTTPServer
@testable import MovieCompatibility
@testable import MovieHTTP

extension FuzzTarget {
    /// Paths, parameters and ids of films, also in the formats of other services.
    static let paths = FuzzTarget(
        "paths",
        words: [
            "/compat/tmdb/3/", "movie/", "person/", "search/movie", "discover/movie", "trending/movie/day",
            "find/tt0137523", "credits",
            "watch/providers", "authentication/token/new", "account/1/favorite/movies", "guest_session/x/rated/movies",
            "append_to_response=",
            "language=", "page=", "region=", "with_genres=28|12", "vote_average.gte=",
            "primary_release_date.gte=2000-01-01",
            "with_runtime.lte=", "sort_by=popularity.desc", "query=", "display=", "start=", "yearfrom=", "yearto=",
            "genre=", "country=KR",
            "term=", "limit=", "offset=", "callback=f", "i=tt0133093", "t=", "s=", "y=", "plot=full", "size=",
            "sort=recency",
            "targetDt=20240101", "weekGb=0", "itemPerPage=", "curPage=", "openStartDt=", "id=", "tmdb:603", "sample:",
            "&", "=", "%", "+",
            "%20", "-1", "9223372036854775807", "nan", "inf", "1e999", "\u{301}", "2024-02-29", "0105001",
        ],
        seeds: [
            "/compat/tmdb/3/movie/603?append_to_response=credits,images&language=ko-KR",
            "/compat/tmdb/3/person/6384/movie_credits",
            "/compat/tmdb/3/discover/movie?with_genres=28|12&vote_average.gte=7&primary_release_date.gte=2000-01-01&with_runtime.lte=90",
            "/compat/tmdb/3/search/movie?query=heat&page=2&year=1995",
            "/compat/tmdb/3/account/1/watchlist/movies?session_id=x",
            "/compat/naver?query=heat&display=10&start=1&yearfrom=1990&yearto=2000&genre=1&country=KR",
            "/compat/itunes/search?term=heat&limit=5&offset=10&callback=f&country=KR&entity=movie",
            "/compat/itunes/lookup?id=1,2,3",
            "/compat/omdb/?t=Heat&y=1995&plot=full", "/compat/omdb/?s=Heat&page=2&type=movie",
            "/compat/kakao?query=x&page=1&size=80&sort=recency",
            "/kobis?targetDt=20240101&weekGb=0&itemPerPage=10&wideAreaCd=0105001&repNationCd=K",
            "/kobis?curPage=1&itemPerPage=100&movieNm=x&openStartDt=1990&openEndDt=1980", "tmdb:603", "2024-02-29",
            "ko-KR",
        ]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let target = RequestTarget(text)
        readTMDB(target)
        _ = try? NaverQuery(text)
        if let pairs = try? target.parameters(plusIsSpace: true) {
            readOthers(
                CompatibleRequest(parameters: Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first }))
        }
        if let decoded = PercentEncoding.decode(text[...]) { readValues(decoded) }
    }

    private static func readTMDB(_ target: RequestTarget) {
        guard let request = try? TMDBRequest(target) else { return }
        _ = try? TMDBResource(request.path)
        _ = try? TMDBPersonalResource(request.path)
        _ = try? request.page()
        _ = (request.language, request.region, request.shared)
        _ = request.reduced(to: ["page", "language", "append_to_response", "query"])
        if let names = try? request.appended() { check(names.count <= TMDBRequest.appendLimit, "too many names") }
        guard let filter = try? TMDBDiscoverFilter(request) else { return }
        _ = (filter.runtimes, filter.people, filter.countries)
    }

    private static func readOthers(_ request: CompatibleRequest) {
        if let own = try? ITunesRequest(request) {
            check(
                ITunesRequest.limits.contains(own.limit) && ITunesRequest.offsets.contains(own.offset), "out of bounds")
        }
        check(ITunesRequest.ids(request).count <= ITunesRequest.idLimit, "a lookup has too many ids")
        if let own = try? OMDbRequest(request) { _ = (own.fault(isOfUpstream: true), own.upstream(request)) }
        if let own = try? KakaoRequest(request) { _ = (own.title, own.upstream) }
        if let own = try? KOBISListRequest(request) { _ = own.upstream(request) }
        for isDaily in [true, false] {
            guard let own = try? KOBISBoxOfficeRequest(request, isDaily: isDaily) else { continue }
            _ = own.upstream(now: Instant(secondsSince1970: 1_700_000_000))
            check(own.period.from <= own.period.to, "a period is inverted")
        }
    }

    /// Ids and values are written as they are read.
    private static func readValues(_ text: String) {
        if let id = MovieID(text) { check(MovieID(id.description) == id, "a film's id differs") }
        if let id = PersonID(text) { check(PersonID(id.description) == id, "a person's id differs") }
        if let id = CollectionID(text) { check(CollectionID(id.description) == id, "a collection's id differs") }
        if let id = StoreAppID(text) { check(StoreAppID(id.description) == id, "an app's id differs") }
        if let area = BoxOfficeArea(text) { check(BoxOfficeArea(area.description) == area, "an area differs") }
        if let date = CalendarDate(text) {
            check(date.description == text && CalendarDate(dayNumber: date.dayNumber) == date, "a date differs")
        }
        _ = Language(tag: text)
        _ = (Country(code: text), Country(word: text))
        _ = RedirectURI(text)
        if let key = PackagedPictureFile.key(of: text[...]) { check(!key.isEmpty, "a picture has no key") }
        if let number = QueryParameters.number(text) { check(String(number) == text, "a number has two spellings") }
    }
}
