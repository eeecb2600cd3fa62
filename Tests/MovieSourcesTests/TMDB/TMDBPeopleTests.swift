import Flights
import HTTPSemantics
import MovieDomain
import MovieTesting
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

@Suite("People of TMDB and their search", .timeLimit(.hang))
struct TMDBPeopleTests {
    private static let path = "/3/person/31"
    private let id = PersonID(source: .tmdb, key: "31")!

    private static func person(
        biography: String = "배우", cast: [String] = [], crew: [String] = [], more: String = ""
    ) -> String {
        """
        {"id":31,"name":"톰 행크스","also_known_as":["Tom Hanks","톰 행크스"," "],"biography":"\(biography)",
        "birthday":"1956-07-09","deathday":null,"gender":2,"homepage":"javascript:x","imdb_id":"nm0000158",
        "known_for_department":"Acting","place_of_birth":"Concord, California, USA","profile_path":"/t.jpg"\(more),
        "movie_credits":{"cast":[\(cast.joined(separator: ","))],"crew":[\(crew.joined(separator: ","))]}}
        """
    }

    private static func role(_ id: Int, _ character: String, overview: String = "줄거리", more: String = "") -> String {
        TMDBFixtures.row(id, overview: overview, more: #","character":"\#(character)"\#(more)"#)
    }

    private static func job(_ id: Int, _ job: String, _ department: String) -> String {
        TMDBFixtures.row(id, more: #","job":"\#(job)","department":"\#(department)""#)
    }

    @Test func aPersonIsOneRequest() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", Self.path, .json(Self.person(cast: [Self.role(1, "Forrest"), "{}", "7"])))
            let tmdb = try AdapterFixture(upstream).tmdb()
            for _ in 0..<2 {
                let person = try #require(try await tmdb.people.person(self.id, language: .korean))
                #expect(person.id == self.id && person.name == "톰 행크스" && person.otherNames == ["Tom Hanks"])
                #expect(person.biography == "배우" && person.placeOfBirth == "Concord, California, USA")
                #expect(person.birthday == CalendarDate("1956-07-09") && person.deathday == nil)
                #expect(person.department == .acting && person.imdbID == "nm0000158" && person.homepage == nil)
                #expect(person.portrait == PosterReference(.tmdb(file: "t.jpg")))
                #expect(person.films.map(\.movie.title) == ["제목"] && person.films[0].roles == ["Forrest"])
                #expect(person.films[0].movie.genres.map(\.name) == ["드라마", "액션"])
                #expect(person.films[0].movie.backdrop?.location == .tmdb(file: "b1.jpg"))
            }
            #expect(upstream.requests.map(\.path) == [Self.path])
            #expect(upstream.requests[0].query["append_to_response"] == "movie_credits,external_ids")
            #expect(upstream.requests[0].query["language"] == "ko-KR")
            let poster = try await tmdb.posters.poster(of: MovieID("tmdb:1")!)
            #expect(poster?.location == .tmdb(file: "p1.jpg") && upstream.requests.count == 1, "it has been seen")
        }
    }

    @Test func aFilmWithARoleAndAJobIsThereOnce() async throws {
        try await withUpstream { upstream in
            let crew = [Self.job(1, "Producer", "Production"), Self.job(1, "Director", "Directing")]
            upstream.on(
                "GET", Self.path,
                .json(Self.person(cast: [Self.role(1, "A"), Self.role(1, "B"), Self.role(2, "")], crew: crew)))
            let people = try AdapterFixture(upstream).tmdb().people
            let person = try #require(try await people.person(self.id, language: .korean))
            #expect(person.films.map(\.movie.id.key) == ["1", "2"])
            #expect(person.films[0].roles == ["A", "B"] && person.films[0].jobs.map(\.job) == [.producer, .director])
            #expect(person.films[0].jobs.map(\.department) == [.production, .directing])
            #expect(person.films[1].roles == [""] && person.films[1].jobs.isEmpty, "the name of the role is unknown")
        }
    }

    @Test func manyRolesInOneFilmAreLimited() async throws {
        try await withUpstream { upstream in
            let roles = (0..<300).map { Self.role(1, "r\($0)") }
            upstream.on("GET", Self.path, .json(Self.person(cast: roles)))
            let people = try AdapterFixture(upstream).tmdb().people
            let person = try #require(try await people.person(self.id, language: .korean))
            #expect(person.films.count == 1 && person.films[0].roles == (0..<Person.partLimit).map { "r\($0)" })
        }
    }

    @Test func anEmptyBiographyIsEnglishWithinTheTimeForSupplements() async throws {
        try await withUpstream { upstream in
            let (gate, deadline) = (Gate(), Gate())
            upstream.on("GET", Self.path, .json(Self.person(biography: "", cast: [Self.role(1, "A", overview: "")])))
            upstream.on(
                "GET", Self.path, query: ["language": "en-US"],
                .held(gate, .json(Self.person(biography: "Actor", cast: [Self.role(1, "A", overview: "Plot")]))))
            let people = try AdapterFixture(upstream, sleep: { _ in try await deadline.wait() }).tmdb().people
            let recorder = FreshnessRecorder()
            let response = Task {
                try await FreshnessRecorder.$current.withValue(recorder) {
                    try await people.person(self.id, language: .korean)
                }
            }
            try await upstream.requestsArrived(at: Self.path, count: 2)
            deadline.open()
            let first = try #require(try await response.value)
            #expect(first.biography.isEmpty && first.films.count == 1 && recorder.hasGaps)
            gate.open()
            try await eventually {
                let next = try await people.person(self.id, language: .korean)
                return next?.biography == "Actor" && next?.films.first?.movie.overview == "Plot"
            }
            #expect(upstream.requestCount(to: Self.path) == 2)
        }
    }

    @Test func filmsForAdultsAreLeftOut() async throws {
        try await withUpstream { upstream in
            let cast = [Self.role(1, "A", more: #","adult":true"#), Self.role(2, "B", more: #","adult":false"#)]
            upstream.on("GET", Self.path, .json(Self.person(cast: cast, more: #","adult":true"#)))
            let people = try AdapterFixture(upstream).tmdb().people
            let person = try #require(try await people.person(self.id, language: .korean))
            #expect(person.films.map(\.movie.id.key) == ["2"])
        }
    }

    @Test func aPersonWithoutAProfileHasNoPortrait() async throws {
        try await withUpstream { upstream in
            upstream.on(
                "GET", Self.path,
                .json(
                    #"{"id":31,"name":"A","biography":"b","imdb_id":"tt1","external_ids":{"imdb_id":"nm1"},"profile_path":null}"#
                ))
            upstream.on("GET", "/3/person/32", .json(Self.person()))
            upstream.on("GET", "/3/person/33", .json(TMDBFixtures.status(34), status: 404))
            let people = try AdapterFixture(upstream).tmdb().people
            let person = try #require(try await people.person(self.id, language: .english))
            #expect(person.portrait == nil && person.films.isEmpty && person.imdbID == nil, "an id of a film is none")
            await #expect(throws: SourceFailure.self, "it is about another person") {
                try await people.person(#require(PersonID("tmdb:32")), language: .english)
            }
            #expect(try await people.person(#require(PersonID("tmdb:33")), language: .english) == nil)
        }
    }

    private static let found = """
        {"page":1,"results":[{"id":31,"name":"Tom Hanks","original_name":"Tom Hanks","known_for_department":"Acting",
        "profile_path":"/t.jpg","known_for":[\(TMDBFixtures.row(1)),\(TMDBFixtures.row(2, more: #","media_type":"tv""#)),
        \(TMDBFixtures.row(3, more: #","adult":true"#))]},{"id":32},{"id":31,"name":"again"}],"total_pages":700,"total_results":2}
        """

    @Test func peopleAreFoundWithTheFilmsThatTheyAreKnownFor() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/search/person", .json(Self.found))
            let people = try AdapterFixture(upstream).tmdb().people
            let query = try #require(MovieQuery("tom hanks"))
            let page = try await people.search(query, page: 2, language: .korean)
            #expect(page.results.map(\.id) == [self.id] && page.results[0].name == "Tom Hanks")
            #expect(page.results[0].originalName.isEmpty && page.results[0].department == .acting)
            #expect(page.results[0].knownFor.map(\.id.key) == ["1"], "no series, no films for adults")
            #expect((page.number, page.totalPages, page.totalResults) == (2, 500, 2))
            let asked = try #require(upstream.requests.first)
            #expect(asked.query["query"] == "tom hanks" && asked.query["include_adult"] == "false")
            #expect(asked.query["page"] == "2" && asked.query["language"] == "ko-KR")
            #expect(try await people.search(query, page: 501, language: .korean).results.isEmpty)
            #expect(upstream.requests.count == 1)
        }
    }

    @Test func nothingFoundIsSearchedNormalisedOnce() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/search/person", .json(TMDBFixtures.page([], totalPages: 0, totalResults: 0)))
            upstream.on("GET", "/3/search/person", query: ["query": "tom hanks"], .json(Self.found))
            let people = try AdapterFixture(upstream).tmdb().people
            let meant = try await people.search(try #require(MovieQuery("Tom-Hänks!")), page: 1, language: .korean)
            #expect(meant.results.map(\.id) == [self.id])
            #expect(upstream.requests.compactMap { $0.query["query"] } == ["Tom-Hänks!", "tom hanks"])
            let none = try await people.search(try #require(MovieQuery("nobody")), page: 1, language: .korean)
            #expect(none.results.isEmpty && upstream.requests.count == 3)
        }
    }

    @Test func keepsItsPromises() async throws {
        try await withUpstream { upstream in
            let cast = [Self.role(2, "A"), Self.role(1, "B")]
            upstream.on("GET", Self.path, .json(Self.person(cast: cast, crew: [Self.job(1, "Director", "Directing")])))
            upstream.on("GET", "/3/person/32", .json(TMDBFixtures.status(34), status: 404))
            upstream.on("GET", "/3/search/person", .json(TMDBFixtures.page([], totalPages: 0, totalResults: 0)))
            upstream.on("GET", "/3/search/person", query: ["query": "a"], .json(Self.found))
            let people = try AdapterFixture(upstream).tmdb().people
            #expect(try await checkContract(of: people, known: [self.id], unknown: #require(PersonID("tmdb:32"))) == [])
            let (found, notFound) = try (#require(MovieQuery("a")), #require(MovieQuery("b")))
            #expect(try await checkContract(of: people, found: found, notFound: notFound) == [])
        }
    }

    @Test func castAndCrewHaveIDs() async throws {
        try await withUpstream { upstream in
            let credits = """
                ,"credits":{"cast":[{"id":287,"name":"A"},{"name":"B"}],"crew":[{"id":7467,"name":"C","job":"Director"}]}
                """
            upstream.on("GET", "/3/movie/550", .json(#"{"id":550,"title":"a"\#(credits)}"#))
            let movies = try AdapterFixture(upstream).tmdb().movies
            let found = try #require(try await movies.credits(of: MovieID("tmdb:550")!, language: .english))
            #expect(found.cast.map(\.id) == [PersonID("tmdb:287"), nil])
            #expect(found.crew.map(\.id) == [PersonID("tmdb:7467")])
        }
    }
}
