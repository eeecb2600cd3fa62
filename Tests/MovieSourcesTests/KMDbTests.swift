import MovieDomain
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

struct KMDbTests {
    private static let path = "/search_json2.jsp"
    private static let thumbnails = "http://file.koreafilm.or.kr/thm/02/99/18/94/tn_DPF031047.jpg"

    private static func found(_ rows: [String]) -> OriginScript {
        .json("{\"Query\": \"x\", \"TotalCount\": 1, \"Data\": [{\"Result\": [\(rows.joined(separator: ","))]}]}")
    }

    private static func row(_ id: String, title: String, year: String = "2019", posters: String, more: String = "")
        -> String
    {
        """
        {"DOCID": "\(id)", "title": "\(title)", "titleEng": "Parasite", "titleOrg": "", "prodYear": "\(year)", \
        "repRlsDate": "20190530", "posters": "\(posters)"\(more)}
        """
    }

    @Test(
        "the full picture of a thumbnail",
        arguments: [
            (
                "http://file.koreafilm.or.kr/thm/02/99/18/94/tn_DPF031047.jpg",
                "http://file.koreafilm.or.kr/poster/99/18/94/DPF031047_01.jpg"
            ),
            (
                "http://file.koreafilm.or.kr/thm/02/00/01/46/tn_DPK004440.JPG",
                "http://file.koreafilm.or.kr/poster/00/01/46/DPK004440_01.JPG"
            ),
            (
                "http://file.koreafilm.or.kr/thm/01/copy/00/56/24/tn_DST714548.jpg",
                "http://file.koreafilm.or.kr/still/copy/00/56/24/DST714548.jpg"
            ),
            ("http://file.koreafilm.or.kr/poster/99/18/94/DPF031047_01.jpg", nil),
            ("http://file.koreafilm.or.kr/thm/02/99/18/94/DPF031047.jpg", nil),
            ("http://file.koreafilm.or.kr/thm/02/tn_.jpg", nil), ("http://a.test/thm/02/a/thm/02/tn_b.jpg", nil),
            ("", nil),
        ] as [(String, String?)])
    func fullSize(thumbnail: String, full: String?) {
        #expect(KMDbPicture.fullSize(of: thumbnail) == full)
    }

    @Test func postersAreOneFlatText() async throws {
        let film = try #require(
            PosterSearchTerms(id: MovieID("kobis:20183782")!, titles: ["기생충"], year: 2019))
        try await withAdapters { fixture in
            let posters =
                "\(Self.thumbnails)|http://file.koreafilm.or.kr/poster/99/17/41/DPK019178_01.jpg||javascript:x| "
            fixture.upstream.on(
                "GET", Self.path, Self.found([Self.row("K22418", title: " !HS 기생충 !HE ", posters: posters)]))
            let candidates = try await KMDbPosters(fixture.kmdb).posters(for: film)
            #expect(
                candidates.map(\.location) == [
                    .web(url: "http://file.koreafilm.or.kr/poster/99/18/94/DPF031047_01.jpg"),
                    .web(url: Self.thumbnails),
                    .web(url: "http://file.koreafilm.or.kr/poster/99/17/41/DPK019178_01.jpg"),
                ])
            #expect(candidates.allSatisfy { $0.title == "기생충" && $0.year == 2019 && $0.source == .kmdb })
            let query = try #require(fixture.upstream.requests.first).query
            #expect(query["title"] == "기생충" && query["releaseDts"] == "20180101" && query["releaseDte"] == "20201231")
            #expect(
                query["collection"] == "kmdb_new2" && query["ServiceKey"] == "key-of-kmdb" && query["detail"] == "Y")
        }
    }

    @Test func aSecondTitleIsLookedForWhenTheFirstHasNoPoster() async throws {
        let film = try #require(
            PosterSearchTerms(id: MovieID("kobis:1")!, titles: ["가", "Parasite", "다"], year: nil))
        try await withAdapters { fixture in
            fixture.upstream.on(
                "GET", Self.path, .json(#"{"Data": [{"CollName": "kmdb_new2", "TotalCount": 0, "Count": 0}]}"#))
            fixture.upstream.on(
                "GET", Self.path, query: ["title": "Parasite"],
                Self.found([Self.row("K1", title: "나", posters: Self.thumbnails)]))
            let candidates = try await KMDbPosters(fixture.kmdb).posters(for: film)
            #expect(candidates.count == 2 && candidates[0].title == "Parasite", "the title that is the other's, too")
            #expect(fixture.upstream.requests.count == 2)
        }
    }

    @Test func offersAreFew() throws {
        let film = try #require(PosterSearchTerms(id: MovieID("kobis:1")!, titles: ["가"], year: 2000))
        let posters = (0..<30).map { "http://a.test/\($0).jpg" }.joined(separator: "|")
        let rows = (1...10).map { Self.row("K\($0)", title: "가", posters: posters) }.joined(separator: ",")
        let films = try KMDbFilm.films(in: Array("{\"Data\": [{\"Result\": [\(rows)]}]}".utf8))
        #expect(films.count == 10 && KMDbPosters.candidates(in: films, for: film).count == 20)
    }

    @Test func rowsAreBoundedAcrossTheirGroups() throws {
        let rows = (1...40).map { Self.row("K\($0)", title: "가", posters: "") }.joined(separator: ",")
        let groups = Array(repeating: "{\"Result\": [\(rows)]}", count: 30).joined(separator: ",")
        let films = try KMDbFilm.films(in: Array("{\"Data\": [\(groups)]}".utf8))
        #expect(films.count == ResponseLimits.rows)
    }

    @Test func aFilmByItsId() async throws {
        let id = try #require(MovieID("kmdb:K22418"))
        let more = """
            , "plots": {"plot": [{"plotLang": "한국어", "plotText": "줄거리\\n둘"}, {"plotLang": "영어", "plotText": "Plot"}]}, \
            "stlls": "http://a.test/s.jpg", "rating": "", "ratings": {"rating": [{"ratingMain": "Y", "ratingGrade": "15세관람가"}]}, \
            "directors": {"director": [{"directorNm": " !HS 봉준호 !HE ", "directorEnNm": "Bong Joon-ho"}]}, "actors": false, \
            "staffs": {"staff": [{"staffNm": "송강호", "staffRoleGroup": "출연", "staffRole": "기택"}, \
            {"staffNm": "봉준호", "staffRoleGroup": "감독"}, {"staffNm": "한진원", "staffRoleGroup": "각본"}]}, "nation": "대한민국", \
            "keywords": "계급, !HS 반지하 !HE "
            """
        try await withAdapters { fixture in
            fixture.upstream.on(
                "GET", Self.path, query: ["movieId": "K", "movieSeq": "22418"],
                Self.found([Self.row("K22418", title: "기생충", posters: Self.thumbnails, more: more)]))
            let movies = KMDbMovies(fixture.kmdb)
            let movie = try #require(try await movies.movie(id, language: .korean))
            #expect(movie.summary.title == "기생충" && movie.summary.overview == "줄거리\n둘")
            #expect(movie.certificate == Certificate("15", in: .korea) && movie.countries == [.korea])
            #expect(movie.summary.poster?.location == .web(url: Self.thumbnails) && movie.gallery.count == 1)
            #expect(movie.directors == ["봉준호"] && movie.summary.releaseDate?.description == "2019-05-30")
            #expect(movie.keywords == [Keyword(name: "계급"), Keyword(name: "반지하")], "not only for display")
            #expect(
                movie.releases == [
                    Release(
                        country: .korea, date: CalendarDate("2019-05-30"), kind: .theatrical,
                        certificate: Certificate("15", in: .korea))
                ])
            let credits = try #require(try await movies.credits(of: id, language: .korean))
            #expect(credits.cast == [.init(name: "송강호", role: "기택")])
            #expect(
                credits.crew.map(\.job) == [.director, .screenplay] && credits.crew.map(\.sourceJob) == ["감독", "각본"])
            let english = try #require(try await movies.movie(id, language: .english))
            #expect(english.summary.title == "Parasite" && english.summary.overview == "Plot")
            #expect(english.summary.originalTitle == "기생충" && english.directors == ["Bong Joon-ho"])
        }
    }

    @Test(arguments: ["kmdb:22418", "kmdb:K", "kmdb:K22418x"])
    func idsThatAreNoneAreNotAskedFor(text: String) async throws {
        let id = try #require(MovieID(text))
        try await withAdapters { fixture in
            let answer = try await KMDbMovies(fixture.kmdb).movie(id, language: .korean)
            #expect(answer == nil)
            #expect(fixture.upstream.requests.isEmpty)
        }
    }

    @Test(.enabled(if: Samples.all != nil, "\(Samples.note)"))
    func theRecordedFilm() async throws {
        let id = try #require(MovieID("kmdb:F01071"))
        let film = try #require(
            PosterSearchTerms(id: MovieID("kobis:1")!, titles: ["평원의 대결"], year: 1953))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.path, .json(try Samples.bytes("kmdb/search_one_result_no_poster.json")))
            let movies = KMDbMovies(fixture.kmdb)
            let movie = try #require(try await movies.movie(id, language: .korean))
            #expect(movie.summary.title == "평원의 대결" && movie.summary.originalTitle == "The Man from the Alamo")
            #expect(movie.summary.year == 1953 && movie.summary.releaseDate == nil && movie.runtimeMinutes == 79)
            #expect(movie.summary.genres.map(\.id) == [.action, .western] && movie.countries == [.unitedStates])
            #expect(movie.directors == ["버드 보티처"] && movie.summary.poster == nil && movie.certificate == nil)
            #expect(movie.homepage == "https://www.kmdb.or.kr/db/kor/detail/movie/F/01071")
            #expect(movie.information.map(\.name) == [.productionYear, .type, .productionCompanies, .keywords])
            #expect(!movie.keywords.isEmpty && movie.releases.isEmpty, "its day is unknown")
            let credits = try #require(try await movies.credits(of: id, language: .korean))
            #expect(credits.cast.map(\.name) == ["줄리 아담스", "글렌 포드"] && credits.crew.count == 3)
            #expect(credits.cast[0].originalName == "Julie Adams")
            let answer = try await KMDbPosters(fixture.kmdb).posters(for: film)
            #expect(answer == [])
        }
    }
}
