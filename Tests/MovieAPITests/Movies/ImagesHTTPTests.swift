import HTTPTesting
import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieAPI
@testable import PosterAPI

/// All pictures of a film, over real sockets.
@Suite(.timeLimit(.hang))
struct ImagesHTTPTests {
    private static func image(
        _ kind: GalleryPicture.Kind, _ file: String, _ language: Language? = nil, textless: Bool? = nil
    ) -> FilmImage {
        FilmImage(
            GalleryPicture(kind: kind, location: .tmdb(file: file), size: PictureSize(width: 3840, height: 2160)),
            language: language, isTextless: textless)
    }

    /// A film with a list of all its pictures, and one without.
    private static func fixture() throws -> FilmFixture {
        let fixture = FilmFixture()
        let film = try FilmFixture.film("film-1")
        fixture.movies.add(Movie(summary: film))
        fixture.movies.set(
            images: [
                Self.image(.backdrop, "b1.jpg", textless: true),
                Self.image(.backdrop, "b2.jpg", .korean, textless: false),
                Self.image(.poster, "p1.jpg", .english, textless: false), Self.image(.poster, "p2.jpg", .korean),
                Self.image(.poster, "p3.jpg", textless: true), Self.image(.logo, "l1.png", .english),
            ], of: film.id)
        var other = Movie(summary: try FilmFixture.film("film-2"))
        other.summary.poster = PosterReference(.web(url: "https://a.test/p.jpg"))
        other.gallery = [
            GalleryPicture(kind: .still, location: .web(url: "https://a.test/1.jpg")),
            GalleryPicture(kind: .still, location: .web(url: "https://a.test/2.jpg")),
        ]
        fixture.movies.add(other)
        return fixture
    }

    @Test(
        "kind, language and textless select",
        arguments: [
            ("", ["b1.jpg", "b2.jpg", "p1.jpg", "p2.jpg", "p3.jpg", "l1.png"]),
            ("?kind=backdrop", ["b1.jpg", "b2.jpg"]), ("?kind=logo,backdrop", ["b1.jpg", "b2.jpg", "l1.png"]),
            ("?kind=screenshot", []), ("?language=ko", ["b1.jpg", "b2.jpg", "p2.jpg", "p3.jpg"]),
            ("?kind=poster&language=en-GB", ["p1.jpg", "p3.jpg"]), ("?textless=true", ["b1.jpg", "p3.jpg"]),
            ("?textless=true&language=ko&kind=poster", ["p3.jpg"]), ("?textless=false&kind=logo", ["l1.png"]),
        ] as [(String, [String])])
    func selection(query: String, files: [String]) async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get("/movies/film-1/images\(query)")
            #expect(answer.status == 200, "\(answer.text)")
            let images = answer.objects("images")
            #expect(images.map { $0["url"] as? String } == files.map { "/t/p/w780/\($0)" })
            #expect(answer.json["counts"] as? [String: Int] == ["backdrop": 2, "poster": 3, "logo": 1])
        }
    }

    @Test func aPictureHasItsSizeAndWhatIsKnownOfItsText() async throws {
        try await Self.fixture().serve { server in
            let images = try await server.get("/movies/film-1/images").objects("images")
            #expect(images.map { $0["language"] as? String } == [nil, "ko", "en", "ko", nil, "en"])
            #expect(images.map { $0["textless"] as? Bool } == [true, false, false, nil, true, nil])
            #expect(images[0]["width"] as? Int == 3840 && images[0]["kind"] as? String == "backdrop")
            #expect(
                (images[0]["srcset"] as? String)?.hasSuffix("/t/p/w780/b1.jpg 780w, /t/p/w2000/b1.jpg 2000w") == true)
        }
    }

    @Test func noVaryByLanguage() async throws {
        try await Self.fixture().serve { server in
            let korean = try await server.get("/movies/film-1/images", headers: ["Accept-Language": "ko"])
            let english = try await server.get("/movies/film-1/images", headers: ["Accept-Language": "en"])
            #expect(korean.text == english.text && korean.headers["vary"]?.contains("Accept-Language") != true)
            #expect(korean.headers["cache-control"] == "public, max-age=3600, stale-while-revalidate=36000")
        }
    }

    @Test func aNumberedPictureIsServed() async throws {
        var policy = PicturePolicy()
        policy.servesTMDBImages = false
        var settings = LiveServer.Settings()
        settings.pictures = ReloadablePicturePolicy(policy)
        try await Self.fixture().serve(settings) { server in
            let answer = try await server.get("/movies/film-2/images")
            #expect(
                answer.objects("images").map { $0["url"] as? String } == [
                    "/poster/film-2?w=780", "/poster/film-2~1?w=780", "/poster/film-2~2?w=780",
                ])
            #expect(answer.json["counts"] as? [String: Int] == ["poster": 1, "still": 2])
            // Pictures without a number have no other URL.
            let none = try await server.get("/movies/film-1/images")
            #expect(none.objects("images").isEmpty && none.json["counts"] as? [String: Int] == [:])
        }
    }

    @Test(
        "says what is accepted",
        arguments: [
            (
                "film-1/images?kind=posters", 400,
                "kind must be one or more of still, backdrop, poster, screenshot, logo"
            ),
            ("film-1/images?kind=", 400, "separated by commas"),
            ("film-1/images?kind=logo,", 400, "separated by commas"),
            ("film-1/images?kind=logo,logo,logo,logo,logo,logo", 400, "separated by commas"),
            ("film-1/images?textless=1", 400, "true or false"), ("film-1/images?page=1", 400, "not a parameter"),
            ("film-9/images", 404, "has no film"), ("%20/images", 400, "not a film id"),
        ])
    func refused(target: String, status: Int, words: String) async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get("/movies/" + target)
            #expect(answer.status == status && answer.text.contains(words), "\(answer.text)")
        }
    }
}
