import PictureTesting
import PosterTesting

/// Invented responses of all sources.
enum UpstreamBodies {
    /// Scripts the responses for all screens.
    static func fill(_ upstream: ReplayingUpstream) {
        self.fillTMDB(upstream)
        self.fillKorea(upstream)
        upstream.on("GET", "/omdb/", query: ["i": "tt0903001"], .json(self.omdbFilm))
        upstream.on("GET", "/mdblist/imdb/movie/tt0903001", .json(self.mdblistFilm))
        upstream.on("GET", "/itunes/search", .json(self.results([self.storeApp(901), self.storeApp(902)])))
        upstream.on("GET", "/itunes/lookup") { request in
            guard let id = request.query["id"].flatMap({ Int($0) }) else { return .json(Self.results([])) }
            return .json(Self.results([Self.storeApp(id)]))
        }
    }

    private static func fillTMDB(_ upstream: ReplayingUpstream) {
        upstream.on("GET", "/tmdb/genre/movie/list", .json(self.genres))
        for (number, list) in ["now_playing", "popular", "top_rated", "upcoming"].enumerated() {
            let rows = (1...3).map { self.row(number * 10 + $0) }
            upstream.on("GET", "/tmdb/movie/\(list)", .json(self.page(rows)))
        }
        upstream.on("GET", "/tmdb/search/movie", .json(self.page([])))
        upstream.on("GET", "/tmdb/movie/999", .json(self.status(34), status: 404))
        upstream.on("GET", "/tmdb/movie/301", .json(self.details(301)))
        upstream.on("GET", "/tmdb/movie/301/reviews", .json(self.reviews))
        upstream.on("GET", "/tmdb/movie/301/similar", .json(self.page([self.row(302)])))
        upstream.on("/images/poster.jpg")
    }

    private static func fillKorea(_ upstream: ReplayingUpstream) {
        upstream.on("GET", "/kobis/boxoffice/searchDailyBoxOfficeList.json", .json(self.daily))
        upstream.on("GET", "/kobis/boxoffice/searchWeeklyBoxOfficeList.json", .json(self.weekly))
        upstream.on("GET", "/kobis/movie/searchMovieInfo.json", .json(self.noKoreanFilm))
        for (code, title) in [("20228555", "갯마을의 밤"), ("20228556", "등대지기")] {
            upstream.on(
                "GET", "/kobis/movie/searchMovieInfo.json", query: ["movieCd": code],
                .json(self.koreanFilm(code, title)))
        }
        upstream.on("GET", "/kmdb/search_json2.jsp", .json(self.nothingOfKMDb))
        upstream.on("GET", "/kakao/v2/search/image", .json(#"{"documents":[],"meta":{"total_count":0}}"#))
    }
}

extension ReplayingUpstream {
    /// Serves a poster of 600 × 900 at a path.
    fileprivate func on(_ path: String) {
        self.on("GET", path, .image(TestPicture.jpeg(width: 600, height: 900)))
    }
}
