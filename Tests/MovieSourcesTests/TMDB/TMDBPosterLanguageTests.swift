import Foundation
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import MovieSources

@Suite("Posters of TMDB by language")
struct TMDBPosterLanguageTests {
    private let id = MovieID(source: .tmdb, key: "603")!
    private let japanese = Language("ja")!

    private func choice(_ language: Language?, textless: Bool = false) -> PosterChoice {
        PosterChoice(language: language, isTextless: textless)
    }

    private func details(_ poster: String?, posters: String = "[]") -> String {
        #"{"id":603,"title":"제목","overview":"x","poster_path":\#(poster.map { "\"/\($0).jpg\"" } ?? "null"),"#
            + #""images":{"backdrops":[],"posters":\#(posters)}}"#
    }

    private func picture(_ name: String, _ language: String?) -> String {
        let language = language.map { "\"\($0)\"" } ?? "null"
        return #"{"file_path":"/\#(name).jpg","iso_639_1":\#(language),"width":1000,"height":1500}"#
    }

    /// Scripts details by language.
    private func answer(_ upstream: ReplayingUpstream, _ posters: [(tag: String, body: String)]) {
        for (tag, body) in posters {
            upstream.on("GET", "/3/movie/603", query: ["language": tag], .json(body))
        }
    }

    @Test func eachLanguageHasItsPoster() async throws {
        try await withUpstream { upstream in
            self.answer(
                upstream,
                [
                    ("en-US", self.details("en")),
                    ("ja-JP", self.details("ja", posters: "[\(self.picture("ja", "ja"))]")),
                ])
            let posters = try AdapterFixture(upstream).tmdb(posterLanguage: .english).posters
            #expect(try await posters.poster(of: self.id)?.location == .tmdb(file: "en.jpg"))
            let japanese = try await posters.poster(of: self.id, as: self.choice(self.japanese))
            #expect(japanese == PosterReference(.tmdb(file: "ja.jpg"), size: PictureSize(width: 1000, height: 1500)))
            #expect(try await posters.poster(of: self.id, as: self.choice(.english))?.location == .tmdb(file: "en.jpg"))
            #expect(upstream.requests.map { $0.query["language"] } == ["en-US", "ja-JP"])
        }
    }

    @Test func aListInALanguageIsRemembered() async throws {
        let row = { (name: String) in
            TMDBFixtures.page([TMDBFixtures.row(603).replacingOccurrences(of: "/p603.jpg", with: "/\(name).jpg")])
        }
        try await withUpstream { upstream in
            let path = "/3/movie/upcoming"
            upstream.on("GET", "/3/genre/movie/list", .json(TMDBFixtures.genres))
            for (tag, name) in [("ko-KR", "ko"), ("en-US", "en"), ("ja-JP", "ja")] {
                upstream.on("GET", path, query: ["language": tag], .json(row(name)))
            }
            let tmdb = try AdapterFixture(upstream).tmdb(posterLanguage: .english)
            for language in [Language.korean, .english, self.japanese] {
                _ = try await tmdb.catalogue.list(.upcoming, page: 1, language: LanguagePreference([language]))
            }
            for language in [Language.korean, .english, self.japanese] {
                let poster = try await tmdb.posters.poster(of: self.id, as: self.choice(language))
                #expect(poster?.location == .tmdb(file: "\(language.code).jpg"))
            }
            #expect(try await tmdb.posters.poster(of: self.id)?.location == .tmdb(file: "en.jpg"))
            #expect(upstream.requestCount(to: "/3/movie/603") == 0)
        }
    }

    @Test func whereALanguageHasNoneTheServersIsUsedThenTheEnglishOne() async throws {
        try await withUpstream { upstream in
            self.answer(
                upstream,
                [("en-US", self.details("en")), ("ko-KR", self.details(nil)), ("ja-JP", self.details(nil))])
            let posters = try AdapterFixture(upstream).tmdb(posterLanguage: .korean).posters
            let poster = try await posters.poster(of: self.id, as: self.choice(self.japanese))
            #expect(poster?.location == .tmdb(file: "en.jpg"))
            #expect(upstream.requests.map { $0.query["language"] } == ["ja-JP", "ko-KR", "en-US"])
        }
    }

    @Test func oneWithoutTextIsTheBestThatIsMarkedSo() async throws {
        try await withUpstream { upstream in
            let pictures = [
                self.picture("en", "en"), #"{"file_path":"/unmarked.jpg","width":1,"height":1}"#,
                self.picture("plain", nil), self.picture("second", nil),
            ]
            self.answer(
                upstream,
                [
                    ("en-US", self.details("en", posters: "[\(pictures.joined(separator: ","))]")),
                    ("ja-JP", self.details("ja")),
                ])
            let posters = try AdapterFixture(upstream).tmdb(posterLanguage: .english).posters
            let plain = try await posters.poster(of: self.id, as: self.choice(nil, textless: true))
            #expect(plain == PosterReference(.tmdb(file: "plain.jpg"), size: PictureSize(width: 1000, height: 1500)))
            let none = try await posters.poster(of: self.id, as: self.choice(self.japanese, textless: true))
            #expect(none?.location == .tmdb(file: "ja.jpg"), "without one, that of the language")
        }
    }

    @Test func aPosterThatIsGoneIsAskedForAgainInItsLanguage() async throws {
        try await withUpstream { upstream in
            upstream.on(
                "GET", "/3/movie/603", query: ["language": "ja-JP"],
                inTurn: [.json(self.details("old")), .json(self.details("new"))])
            self.answer(upstream, [("en-US", self.details("en"))])
            let rig = try AdapterFixture(upstream)
            let posters = rig.tmdb(posterLanguage: .english).posters
            #expect(
                try await posters.poster(of: self.id, as: self.choice(self.japanese))?.location
                    == .tmdb(file: "old.jpg"))
            rig.time.advance(by: .seconds(601))
            let renewed = try await posters.refreshedPoster(of: self.id, as: self.choice(self.japanese))
            #expect(renewed?.location == .tmdb(file: "new.jpg"))
            #expect(
                try await posters.poster(of: self.id, as: self.choice(self.japanese))?.location
                    == .tmdb(file: "new.jpg"))
            #expect(upstream.requests.allSatisfy { $0.query["language"] == "ja-JP" })
        }
    }
}
