import Foundation
import HTTPTesting
import MovieDomain
import MovieHTTP
import MovieTesting
import NIOCore
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPServer
@testable import PosterAPI

/// Naver's format, over real sockets.
@Suite(.timeLimit(.hang))
struct NaverHTTPTests {
    /// Recorded responses outside the repository: in `../shared/upstream` beside its root.
    private static let samples: [String] = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        let folder = "/" + parts.joined(separator: "/") + "/../shared/upstream/naver"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().map { "\(folder)/\($0)" }
    }()

    private static func sample(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: URL(filePath: path))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// Names and types of members, including nested items.
    private static func shape(_ object: [String: Any]) -> Set<String> {
        var shape: Set<String> = []
        for (name, value) in object {
            switch value {
            case let items as [[String: Any]]: shape.formUnion(items.flatMap { Self.shape($0) }.map { "\(name).\($0)" })
            case is String: shape.insert("\(name): string")
            case is NSNumber: shape.insert("\(name): number")
            default: shape.insert("\(name): \(type(of: value))")
            }
        }
        return shape
    }

    private func fixture(_ count: Int) throws -> MovieServicesFixture {
        let fixture = try MovieServicesFixture(pageSize: 7)
        let movies = try (1...count).map { number in
            let id = try #require(MovieID("film-\(number)"))
            return try #require(
                MovieSummary(
                    id: id, title: "유전 \(number)",
                    originalTitle: "Hereditary <\(number)>",
                    year: 2000 + number, directors: ["아리 에스터"], cast: ["토니 콜렛", "가브리엘 번"],
                    score: AudienceScore(average: 7.111, count: 9),
                    poster: PosterReference(.packaged(file: "a.jpg", version: "1"))))
        }
        fixture.catalogue.set(movies, for: .search(try #require(MovieQuery("유전"))))
        return fixture
    }

    private static let target = "/v1/search/movie.json?query=%EC%9C%A0%EC%A0%84"

    @Test func anAnswerHasWhatNaversHad() async throws {
        try await self.fixture(3).run { server in
            let answer = try await server.get(
                Self.target, headers: ["X-Naver-Client-Id": "id", "X-Naver-Client-Secret": "secret"])
            #expect(answer.status == 200 && answer.headers["content-type"] == "application/json; charset=UTF-8")
            let object = answer.json
            #expect(object["total"] as? Int == 3 && object["start"] as? Int == 1 && object["display"] as? Int == 3)
            #expect(object["lastBuildDate"] as? String == "Thu, 01 Jan 1970 09:00:01 +0900")
            let item = try #require(answer.objects("items").first)
            #expect(item["title"] as? String == "<b>유전</b> 1" && item["subtitle"] as? String == "Hereditary &lt;1&gt;")
            #expect(item["link"] as? String == "http://localhost/films/film-1")
            let image = try #require(item["image"] as? String)
            #expect(image.hasPrefix("http://localhost/poster/") && image.contains("w=110"))
            #expect(item["pubDate"] as? String == "2001" && item["userRating"] as? String == "7.11")
            #expect(item["director"] as? String == "아리 에스터|" && item["actor"] as? String == "토니 콜렛|가브리엘 번|")
        }
    }

    @Test func namesThatTheSearchDoesNotHaveAreThoseOfTheFilm() async throws {
        let fixture = try MovieServicesFixture()
        let id = try #require(MovieID("hereditary-2018"))
        let film = try #require(MovieSummary(id: id, title: "유전"))
        let credits = Credits(cast: [.init(name: "토니 콜렛", role: "애니")], crew: [.director("아리 애스터")])
        fixture.movies.add(Movie(summary: film, credits: credits))
        fixture.catalogue.set([film], for: .search(try #require(MovieQuery("유전"))))
        try await fixture.run { server in
            let item = try #require(try await server.get(Self.target).objects("items").first)
            #expect(item["director"] as? String == "아리 애스터|" && item["actor"] as? String == "토니 콜렛|")
        }
    }

    @Test(.enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
    func linksGoOverTLSWhereTheRequestDid() async throws {
        let folder = TemporaryFolder()
        let certificate = try TestCertificate(in: folder.path)
        var settings = LiveServer.Settings()
        settings.tls = try TLSCredentials(
            certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
        try await self.fixture(1).run(settings) { server in
            let client = try await HTTP2Client(port: server.port)
            let answer = try await client.get(Self.target)
            #expect(answer.text.contains("\"link\":\"https://localhost/films/film-1\""))
            try await client.channel.close()
        }
    }

    /// RFC 9112, 3.2.2.
    @Test(
        "an absolute target names the host, and Host is ignored",
        arguments: [
            ("http://good.example", "evil.example", "http://good.example/films/film-1"),
            ("http://Good.Example:80", "evil.example", "http://good.example/films/film-1"),
            ("HTTP://good.example:81", "evil.example", "http://good.example:81/films/film-1"),
            ("http://[2001:db8::1]:81", "evil.example", "http://[2001:db8::1]:81/films/film-1"),
            ("", "good.example:1337", "http://good.example:1337/films/film-1"),
        ])
    func absoluteTarget(start: String, host: String, link: String) async throws {
        try await self.fixture(1).run { server in
            let client = try server.connect()
            // Twice: a cached response of one host must not be returned for another.
            let other = start.isEmpty ? "http://other.example/films/film-1" : link
            for (host, link) in [(host, link), ("other.example", other)] {
                try client.send(raw: "GET \(start)\(Self.target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                let answer = try await client.answer()
                #expect(answer.status == 200)
                #expect(answer.objects("items").first?["link"] as? String == link)
                #expect(answer.headers["vary"] == "Host", "a cache may not know which host was asked")
                #expect(answer.headers["cache-control"]?.hasPrefix("public") == true)
                #expect(!answer.text.contains("evil.example"))
            }
        }
    }

    @Test(
        "an absolute target without a usable authority is refused",
        arguments: [
            "http://u:p@good.example", "http://good.example@x", "http://", "http://a:b", "http://a:0", "http://[::1",
            "http://a..b", "http://a%2Eb",
        ])
    func unusableAuthority(start: String) async throws {
        try await self.fixture(1).run { server in
            let client = try server.connect()
            try client.send(raw: "GET \(start)\(Self.target) HTTP/1.1\r\nHost: good.example\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 400 && answer.headers["connection"] == "close", "\(answer.text)")
            try await client.closedByServer()
        }
    }

    @Test func aConfiguredHostIsNamedWhateverTheRequestSays() async throws {
        var settings = LiveServer.Settings()
        settings.links = PosterURLBuilder(publicURL: PublicURL("https://films.example.org"))
        try await self.fixture(1).run(settings) { server in
            let client = try server.connect()
            try client.send(raw: "GET http://a.example\(Self.target) HTTP/1.1\r\nHost: evil.example\r\n\r\n")
            let answer = try await client.answer()
            #expect(answer.objects("items").first?["link"] as? String == "https://films.example.org/films/film-1")
            #expect(answer.headers["vary"] == nil)
        }
    }

    @Test func theEndIsReachedPageByPage() async throws {
        try await self.fixture(45).run { server in
            var links: [String] = []
            var start = 1
            while true {
                let answer = try await server.get("\(Self.target)&start=\(start)&display=20")
                let items = answer.objects("items")
                guard !items.isEmpty else { break }
                links += items.compactMap { $0["link"] as? String }
                #expect(answer.json["display"] as? Int == items.count)
                start += 20
            }
            #expect(links == (1...45).map { "http://localhost/films/film-\($0)" })
        }
    }

    @Test func faultsAreNavers() async throws {
        let fixture = try self.fixture(1)
        try await fixture.run { server in
            for (query, code) in [("", "SE01"), ("?query=a&display=0", "SE02"), ("?query=a&start=1001", "SE03")] {
                let answer = try await server.get("/v1/search/movie.json\(query)")
                #expect(answer.status == 400 && answer.headers["content-type"] == "application/json; charset=UTF-8")
                #expect(answer.json["errorCode"] as? String == code)
            }
            fixture.catalogue.fail(
                .search(try #require(MovieQuery("유전"))), with: .busy(.embedded, retryAfterSeconds: 7))
            let failed = try await server.get(Self.target)
            #expect(failed.status == 500 && failed.headers["retry-after"] == "7")
            #expect(failed.json["errorCode"] as? String == "SE99")
        }
    }

    /// Plain text of a Naver text, which marks matches by `<b>`.
    private static func plain(_ text: String) -> String {
        [("<b>", ""), ("</b>", ""), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// A film with the properties of an item.
    private static func film(_ number: Int, _ item: [String: String]) throws -> MovieSummary {
        let score = Double(item["userRating"] ?? "").flatMap { $0 > 0 ? AudienceScore(average: $0, count: 9) : nil }
        func names(_ field: String) -> [String] {
            (item[field] ?? "").split(separator: "|").map { Self.plain(String($0)) }
        }
        let id = try #require(MovieID("film-\(number)"))
        return try #require(
            MovieSummary(
                id: id, title: Self.plain(item["title"] ?? ""),
                originalTitle: Self.plain(item["subtitle"] ?? ""), year: Int(item["pubDate"] ?? ""),
                directors: names("director"), cast: names("actor"), score: score))
    }

    @Test(.enabled(if: !Self.samples.isEmpty, "there are no real answers beside the repository"))
    func filmsOfRealAnswersHaveTheSameFields() async throws {
        let items = try Self.samples.filter { !$0.contains("error") && !$0.contains("mock") }
            .flatMap { try #require(try Self.sample($0)["items"] as? [[String: String]]) }
        #expect(items.count > 10)
        for (number, item) in items.enumerated() {
            let title = Self.plain(item["title"] ?? "")
            let fixture = try MovieServicesFixture()
            fixture.catalogue.set([try Self.film(number, item)], for: .search(try #require(MovieQuery(title))))
            try await fixture.run { server in
                var target = URLComponents()
                target.path = "/v1/search/movie.json"
                target.queryItems = [URLQueryItem(name: "query", value: title)]
                let found = try #require(try await server.get(target.string ?? "").objects("items").first)
                for field in ["title", "subtitle", "pubDate", "director", "actor", "userRating"] {
                    #expect(
                        Self.plain(found[field] as? String ?? "") == Self.plain(item[field] ?? ""), "\(field): \(item)")
                }
            }
        }
    }

    @Test(.enabled(if: !Self.samples.isEmpty, "there are no real answers beside the repository"))
    func membersAndTypesAreThoseOfRealAnswers() async throws {
        let fixture = try self.fixture(3)
        try await fixture.run { server in
            let found = Self.shape(try await server.get(Self.target).json)
            let fault = Self.shape(try await server.get("/v1/search/movie.json").json)
            // The mock is from a manual that shows numbers as strings.
            for path in Self.samples where !path.contains("mock") {
                let sample = try Self.sample(path)
                #expect(Self.shape(sample) == (path.contains("error") ? fault : found), "\(path)")
            }
            for path in Self.samples where path.contains("error_se0") && !path.contains("05") {
                let sample = try Self.sample(path)
                let query = path.contains("start") ? "?query=a&start=0" : ""
                let answer = try await server.get("/v1/search/movie.json\(query)").json
                #expect(answer["errorCode"] as? String == sample["errorCode"] as? String)
                #expect(answer["errorMessage"] as? String == sample["errorMessage"] as? String)
            }
        }
    }
}
