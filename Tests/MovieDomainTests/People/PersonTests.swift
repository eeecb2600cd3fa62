import MovieDomain
import MovieTesting
import Testing

struct PersonTests {
    private let id = PersonID("tmdb:31")!

    private func film(_ id: String, _ date: String?, year: Int? = nil) throws -> MovieSummary {
        let id = try #require(MovieID(id))
        return try #require(
            MovieSummary(id: id, title: "a", releaseDate: date.flatMap { CalendarDate($0) }, year: year))
    }

    @Test(arguments: ["tmdb:31", "fritz-lang", "tmdb:123456789012345678"])
    func anIDIsReadAsItIsWritten(text: String) throws {
        #expect(try #require(PersonID(text)).description == text)
    }

    @Test(arguments: [
        "", ":", "tmdb:", "tmdb:031", "tmdb:x", "tmdb:1234567890123456789", "kobis:1", "omdb:nm0000158", "Fritz-Lang",
        "fritz lang", "a/b", String(repeating: "a", count: 65),
    ])
    func whatNamesNobodyIsNoID(text: String) {
        #expect(PersonID(text) == nil && CollectionID(text) == nil)
    }

    @Test func aFilmWithARoleAndAJobIsThereOnce() throws {
        let film = try self.film("tmdb:13", "1994-06-23")
        let person = try #require(
            Person(
                id: self.id, name: "A",
                films: [
                    .init(film, roles: ["Forrest"]), .init(film, jobs: [.init(sourceJob: "Producer")]),
                    .init(film, roles: ["Forrest", "Father"]), .init(film, jobs: [.init(sourceJob: "Producer")]),
                ]))
        let part = try #require(person.films.first)
        #expect(person.films.count == 1 && part.roles == ["Forrest", "Father"])
        #expect(part.jobs.map(\.job) == [.producer] && part.jobs.map(\.department) == [.production])
    }

    @Test func theLatestFilmComesFirstBehindAnnouncedOnes() throws {
        let films = try [
            self.film("tmdb:4", "1994-06-23"), self.film("tmdb:2", nil), self.film("tmdb:1", nil),
            self.film("tmdb:3", "2004-01-01"), self.film("tmdb:5", nil, year: 1999),
        ]
        let person = try #require(Person(id: self.id, name: "A", films: films.map { .init($0) }))
        #expect(person.films.map(\.movie.id.key) == ["1", "2", "3", "5", "4"])
    }

    @Test func namesAndFilmsAreLimited() throws {
        let films = try (1...(Person.filmLimit + 1)).map { Person.FilmPart(try self.film("tmdb:\($0)", "1994-06-23")) }
        let names = ["A", "", "B", "B"] + (1...Person.otherNameLimit).map(String.init)
        let person = try #require(Person(id: self.id, name: "A", originalName: "A", otherNames: names, films: films))
        #expect(person.films.count == Person.filmLimit)
        #expect(person.otherNames == ["B"] + (1..<Person.otherNameLimit).map(String.init))
        #expect(person.originalName.isEmpty)
        #expect(Person(id: self.id, name: "") == nil && PersonSummary(id: self.id, name: "") == nil)
        let found = PersonSummary(id: self.id, name: "A", knownFor: films.map(\.movie))
        #expect(found?.knownFor.count == PersonSummary.knownForLimit)
    }

    @Test(.timeLimit(.minutes(1)))
    func manyRolesAndJobsInOneFilmAreLimited() throws {
        let film = try self.film("tmdb:13", "1994-06-23")
        let roles = (0..<75_000).map { Person.FilmPart(film, roles: ["r\($0)"]) }
        let jobs = (0..<1000).map { Person.FilmPart(film, jobs: [.init(sourceJob: "j\($0)")]) }
        let person = try #require(Person(id: self.id, name: "A", films: roles + jobs))
        let part = try #require(person.films.first)
        #expect(person.films.count == 1)
        #expect(part.roles == (0..<Person.partLimit).map { "r\($0)" })
        #expect(part.jobs.map(\.sourceJob) == (0..<Person.partLimit).map { "j\($0)" })
        #expect(Person.FilmPart(film, roles: (0..<1000).map { "\($0)" }).roles.count == Person.partLimit)
    }

    @Test func peopleAreOfTheirSource() async throws {
        let people = ScriptedPeople(source: .tmdb)
        let person = try #require(Person(id: self.id, name: "A"))
        let show = ShowPerson([people], off: [.embedded: "none"])
        let language = LanguagePreference()
        await #expect(throws: UnknownPerson(self.id)) { try await show(self.id, language: language) }
        people.add(person)
        #expect(try await show(self.id, language: language) == person)
        people.fail(with: .tooSlow(.tmdb))
        await #expect(throws: SourceFailure.tooSlow(.tmdb)) { try await show(self.id, language: language) }
        let other = try #require(PersonID("fritz-lang"))
        await #expect(throws: SourceFailure.off(.embedded, option: "none")) {
            try await show(other, language: language)
        }
    }

    @Test func crewIsNeverInTheDepartmentOfActors() {
        #expect(Department(tmdb: "Acting") == .acting)
        #expect(Credits.CrewMember(name: "A", sourceJob: "Director", department: .acting).department == .directing)
        #expect(Credits.CrewMember(name: "A", sourceJob: "?", department: .acting).department == nil)
    }
}
