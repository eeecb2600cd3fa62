import HTTPTesting
import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieAPI

/// People and their films, over real sockets.
@Suite(.timeLimit(.hang))
struct PeopleHTTPTests {
    private let id = PersonID("tmdb:31")!

    private func film(_ id: String, _ date: String?, backdrop: String? = nil) throws -> MovieSummary {
        let id = try #require(MovieID(id))
        return try #require(
            MovieSummary(
                id: id, title: "Film \(id.key)", releaseDate: date.flatMap { CalendarDate($0) },
                backdrop: backdrop.map { PosterReference(.tmdb(file: $0)) }))
    }

    private func serve(_ body: @escaping @Sendable (LiveServer, ScriptedPeople, FilmFixture) async throws -> Void)
        async throws
    {
        let people = ScriptedPeople(source: .tmdb, pageSize: 2, pageLimit: 3)
        let fixture = FilmFixture(people: people)
        try await fixture.serve { server in try await body(server, people, fixture) }
    }

    private func person() throws -> Person {
        try #require(
            Person(
                id: self.id, name: "Tom Hanks", otherNames: ["톰 행크스"], biography: "Actor",
                birthday: CalendarDate("1956-07-09"), placeOfBirth: "Concord", department: .acting,
                imdbID: "nm0000158", portrait: PosterReference(.tmdb(file: "t.jpg")),
                films: [
                    .init(try self.film("tmdb:13", "1994-06-23", backdrop: "b.jpg"), roles: ["Forrest Gump"]),
                    .init(
                        try self.film("tmdb:14", "1996-10-04"), roles: ["Mr. White"],
                        jobs: [.init(sourceJob: "Director"), .init(sourceJob: "Astrologer")]),
                ]))
    }

    @Test func aPersonHasFactsAndFilms() async throws {
        let person = try self.person()
        try await self.serve { server, people, _ in
            people.add(person)
            let answer = try await server.get("/people/tmdb:31?language=ko")
            #expect(answer.status == 200 && answer.json["id"] as? String == "tmdb:31")
            #expect(answer.headers["cache-control"]?.hasPrefix("public, max-age=300") == true)
            let texts = ["source": "tmdb", "name": "Tom Hanks", "originalName": "", "biography": "Actor"]
            for (name, value) in texts { #expect(answer.json[name] as? String == value) }
            #expect(
                answer.json["birthday"] as? String == "1956-07-09" && answer.json["department"] as? String == "acting")
            #expect(
                answer.json["placeOfBirth"] as? String == "Concord" && answer.json["imdbId"] as? String == "nm0000158")
            #expect(answer.json["otherNames"] as? [String] == ["톰 행크스"])
            for absent in ["deathday", "homepage"] { #expect(answer.json[absent] == nil) }
            let portrait = try #require(answer.json["portrait"] as? [String: Any])
            #expect(portrait["url"] as? String == "/t/p/w342/t.jpg")
            let films = answer.objects("films")
            #expect(films.map { $0["id"] as? String } == ["tmdb:14", "tmdb:13"])
            #expect(films[0]["roles"] as? [String] == ["Mr. White"] && films[0]["title"] as? String == "Film 14")
            let jobs = try #require(films[0]["jobs"] as? [[String: String]])
            #expect(
                jobs == [
                    ["job": "director", "sourceJob": "Director", "department": "directing"],
                    ["job": "other", "sourceJob": "Astrologer"],
                ])
            #expect((films[1]["jobs"] as? [Any])?.isEmpty == true && films[1]["backdrop"] != nil)
            #expect(answer.json["attribution"] as? [String] == [MovieSource.tmdb.attribution ?? ""])
            #expect(people.languages.map(\.first) == [.korean])
            let negotiated = try await server.get("/people/tmdb:31", headers: ["Accept-Language": "ko"])
            #expect(negotiated.headers["vary"]?.contains("Accept-Language") == true)
            #expect(answer.headers["vary"]?.contains("Accept-Language") != true)
        }
    }

    @Test func marksAreThereOnRequestOnly() async throws {
        let person = try self.person()
        try await self.serve { server, people, _ in
            people.add(person)
            let plain = try await server.get("/people/tmdb:31")
            #expect(plain.objects("films").allSatisfy { $0["isFavourite"] == nil })
            let marked = try await server.get("/people/tmdb:31?marks=true")
            #expect(marked.objects("films").map { $0["isFavourite"] as? Bool } == [false, false])
        }
    }

    @Test func nobodyIsAProblem() async throws {
        try await self.serve { server, people, _ in
            let unknown = try await server.get("/people/tmdb:32")
            #expect(unknown.status == 404 && unknown.problem == "unknown-person" && unknown.text.contains("TMDB"))
            for id in ["kobis:1", "tmdb:x", "tmdb:031", "A"] {
                let answer = try await server.get("/people/\(id)")
                #expect(
                    answer.status == 400 && answer.problem == "invalid-id" && answer.text.contains("tmdb:31"), "\(id)")
            }
            let off = try await server.get("/people/fritz-lang")
            #expect(off.status == 503 && off.problem == "source-off")
            people.fail(with: .tooSlow(.tmdb))
            #expect(try await server.get("/people/tmdb:32").status == 504)
        }
    }

    @Test func peopleAreFoundPageByPage() async throws {
        let found = try (1...3).map { number in
            let (id, film) = (try #require(PersonID("tmdb:\(number)")), try self.film("tmdb:13", "1994-06-23"))
            return try #require(
                PersonSummary(
                    id: id, name: "A \(number)", originalName: "에이", department: .directing, knownFor: [film]))
        }
        let query = try #require(MovieQuery("a"))
        try await self.serve { server, people, _ in
            people.set(found, for: query)
            let first = try await server.get("/people/search?query=a")
            #expect(first.status == 200 && first.headers["cache-control"]?.hasPrefix("public, max-age=60") == true)
            let people = first.objects("results")
            #expect(people.map { $0["id"] as? String } == ["tmdb:1", "tmdb:2"])
            #expect(people[0]["originalName"] as? String == "에이" && people[0]["department"] as? String == "directing")
            #expect(people[0]["portrait"] == nil)
            let known = try #require(people[0]["knownFor"] as? [[String: Any]])
            #expect(known.map { $0["id"] as? String } == ["tmdb:13"])
            #expect(first.json["totalPages"] as? Int == 2 && first.json["totalResults"] as? Int == 3)
            #expect(first.headers["link"]?.contains("</people/search?query=a&page=2>; rel=\"next\"") == true)
            let last = try await server.get("/people/search?query=a&page=2")
            #expect(last.objects("results").map { $0["id"] as? String } == ["tmdb:3"])
            for wrong in ["", "?query=", "?query=%20", "?query=a&page=4", "?query=a&year=1999"] {
                let answer = try await server.get("/people/search\(wrong)")
                #expect(answer.status == 400 && answer.problem == "invalid-parameter", "\(wrong)")
            }
        }
    }

    @Test func withoutASearchForPeopleNobodyIsFound() async throws {
        try await FilmFixture().serve { server in
            let answer = try await server.get("/people/search?query=a&page=2")
            #expect(answer.status == 200 && answer.objects("results").isEmpty)
            #expect(answer.json["totalPages"] as? Int == 0 && answer.json["attribution"] == nil)
        }
    }
}
