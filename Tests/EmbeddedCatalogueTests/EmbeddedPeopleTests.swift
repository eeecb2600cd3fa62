import EmbeddedCatalogue
import MovieDomain
import MovieTesting
import Testing

struct EmbeddedPeopleTests {
    private static let hangul: ClosedRange<Unicode.Scalar> = "가"..."힣"
    private static let kana: ClosedRange<Unicode.Scalar> = "ぁ"..."ヿ"
    private static let kanji: ClosedRange<Unicode.Scalar> = "一"..."龯"

    private let fixture: EmbeddedFixture
    private let korean = LanguagePreference([.korean])
    private let english = LanguagePreference([.english])
    private let japanese: LanguagePreference

    init() throws {
        self.fixture = try EmbeddedFixture()
        self.japanese = LanguagePreference([try #require(Language("ja"))])
    }

    /// All people credited in any film, with their films.
    private func credited(_ language: LanguagePreference) async throws -> [String: (id: PersonID?, films: Set<MovieID>)]
    {
        var people: [String: (id: PersonID?, films: Set<MovieID>)] = [:]
        for film in try await self.fixture.movies.all(limit: 1000, language: language) {
            let credits = try #require(try await self.fixture.movies.credits(of: film.id, language: language))
            for (name, id) in credits.cast.map({ ($0.name, $0.id) }) + credits.crew.map({ ($0.name, $0.id) }) {
                people[name, default: (id, [])].films.insert(film.id)
            }
        }
        return people
    }

    private func person(_ key: String, _ language: LanguagePreference) async throws -> Person? {
        let id = try #require(PersonID(key))
        return try await self.fixture.people.person(id, language: language)
    }

    private func found(_ text: String, _ language: LanguagePreference) async throws -> [PersonSummary] {
        let query = try #require(MovieQuery(text))
        return try await self.fixture.people.search(query, page: 1, language: language).results
    }

    @Test func keepsThePromisesOfPeopleAndOfTheirSearch() async throws {
        let ids = try await self.credited(self.english).values.compactMap(\.id)
        let unknown = try #require(PersonID("nobody-at-all"))
        #expect(try await checkContract(of: self.fixture.people, known: ids, unknown: unknown) == [])
        let (found, notFound) = (try #require(MovieQuery("kim")), try #require(MovieQuery("matrix reloaded")))
        #expect(try await checkContract(of: self.fixture.people, found: found, notFound: notFound) == [])
    }

    @Test func everyPersonHasAKoreanAndAJapaneseName() async throws {
        let inKorean = try await self.credited(self.korean).keys
        let inJapanese = try await self.credited(self.japanese).keys
        #expect(inKorean.count == 312 && inJapanese.count == 312)
        for name in inKorean { #expect(name.unicodeScalars.contains { Self.hangul.contains($0) }, "\(name)") }
        for name in inJapanese {
            #expect(
                name.unicodeScalars.contains { Self.kana.contains($0) || Self.kanji.contains($0) }, "\(name)")
        }
    }

    @Test func idsOfPeopleAreUniqueAndOfNoFilm() async throws {
        let ids = try await self.credited(self.english).values.compactMap(\.id)
        #expect(ids.count == 312)
        #expect(Set(ids).count == 312)
        let films = Set(try await self.fixture.movies.all(limit: 1000, language: self.english).map(\.id.key))
        #expect(films.isDisjoint(with: ids.map(\.key)))
    }

    @Test(arguments: [
        ("Fritz Lang", "fritz-lang"), ("Georges Méliès", "georges-melies"), ("F. W. Murnau", "f-w-murnau"),
        ("Rudolf Klein-Rogge", "rudolf-klein-rogge"), ("George O'Brien", "george-obrien"),
        ("Friedrich Gnaß", "friedrich-gnass"), ("Chishū Ryū", "chishu-ryu"), ("John St. Polis", "john-st-polis"),
    ])
    func anIDIsTheNameWithoutAccentsAndPunctuation(name: String, id: String) async throws {
        let person = try #require(try await self.credited(self.english)[name])
        #expect(person.id?.description == id)
    }

    @Test func everyNameInCreditsLeadsToAPageWithItsFilms() async throws {
        for language in [self.english, self.korean, self.japanese] {
            for (name, (id, films)) in try await self.credited(language) {
                let key = try #require(id?.key, "\(name)")
                let person = try #require(try await self.person(key, language), "\(name)")
                #expect(person.name == name && person.id == id)
                #expect(Set(person.films.map(\.movie.id)) == films && person.films.count == films.count, "\(name)")
                #expect(person.films.allSatisfy { !$0.roles.isEmpty || !$0.jobs.isEmpty }, "\(name)")
                #expect(person.biography.isEmpty && person.birthday == nil && person.portrait == nil)
            }
        }
    }

    @Test func aPersonHasNamesADepartmentAndTheLatestFilmFirst() async throws {
        let kurosawa = try #require(try await self.person("akira-kurosawa", self.korean))
        #expect(kurosawa.name == "구로사와 아키라" && kurosawa.originalName == "黒澤明")
        #expect(kurosawa.otherNames.contains("Akira Kurosawa") && kurosawa.otherNames.contains("黒沢明"))
        #expect(!kurosawa.otherNames.contains("구로사와 아키라") && !kurosawa.otherNames.contains("黒澤明"))
        #expect(kurosawa.department == .directing)
        #expect(kurosawa.films.map(\.movie.id.key) == ["seven-samurai-1954", "rashomon-1950"])
        #expect(kurosawa.films.map(\.movie.title) == ["7인의 사무라이", "라쇼몽"])
        #expect(kurosawa.films.allSatisfy { $0.roles.isEmpty && $0.jobs.map(\.job) == [.director] })
        let chaplin = try #require(try await self.person("charlie-chaplin", self.english))
        #expect(chaplin.department == .acting && chaplin.films.count == 4)
        #expect(chaplin.films.allSatisfy { $0.roles.count == 1 && $0.jobs.count == 1 })
        let years = chaplin.films.compactMap(\.movie.year)
        #expect(years == years.sorted(by: >))
    }

    @Test func whoIsNotThereIsNoPerson() async throws {
        for id in ["nobody-at-all", "metropolis-1927", "fritz", "fritz-lang-"] {
            #expect(try await self.person(id, self.english) == nil, "\(id)")
        }
    }

    @Test(arguments: [
        ("Fritz Lang", "fritz-lang"), ("fritz", "fritz-lang"), ("lang", "fritz-lang"), ("FRITZLANG", "fritz-lang"),
        ("프리츠랑", "fritz-lang"), ("프리츠 랑", "fritz-lang"), ("프리ㅊ", "fritz-lang"), ("ㅍㄹㅊㄹ", "fritz-lang"),
        ("fritz lnag", "fritz-lang"), ("frits lang", "fritz-lang"), ("vmflcm fkd", "fritz-lang"),
        ("黒沢明", "akira-kurosawa"), ("黒澤", "akira-kurosawa"), ("구로자와", "akira-kurosawa"),
        ("kurosawa akira", "akira-kurosawa"), ("kurosaba", "akira-kurosawa"), ("くろさわ", "akira-kurosawa"),
        ("melies", "georges-melies"), ("メリエス", "georges-melies"), ("조르주 멜리에스", "georges-melies"),
        ("Александров", "grigori-aleksandrov"), ("gimgiyeong", "kim-ki-young"), ("ㄱㄱㅇ", "kim-ki-young"),
        ("チャップリン", "charlie-chaplin"), ("채플린", "charlie-chaplin"), ("chapiln", "charlie-chaplin"),
    ])
    func peopleAreFoundInAllScriptsAndMisspelled(query: String, id: String) async throws {
        let found = try await self.found(query, self.korean)
        #expect(found.prefix(3).contains { $0.id.key == id }, "\(found.prefix(5).map(\.id.key))")
    }

    @Test func whatIsWrittenRightIsFirstAndWhatResemblesNothingFindsNobody() async throws {
        for language in [self.english, self.korean, self.japanese] {
            for (name, (id, _)) in try await self.credited(language) {
                #expect(try await self.found(name, language).first?.id == id, "\(name)")
            }
        }
        for text in ["metropolis", "qwrtpsd", "1927", "ㅂㅈㄷㄱㅂㅈㄷ", "!"] {
            #expect(try await self.found(text, self.english).isEmpty, "\(text)")
        }
    }

    @Test func aFoundPersonSaysWhatTheyAreKnownFor() async throws {
        let chaplin = try #require(try await self.found("charlie chaplin", self.english).first)
        #expect(chaplin.name == "Charlie Chaplin" && chaplin.department == .acting && chaplin.portrait == nil)
        let popular = try await self.fixture.catalogue.discover(
            FilmFilter(years: 1921...1936), page: 1, language: self.english, region: nil
        ).results.filter { $0.directors == ["Charlie Chaplin"] }
        #expect(popular.count == 4)
        #expect(chaplin.knownFor == Array(popular.prefix(3)))
        let ryu = try #require(try await self.found("류 지슈", self.korean).first)
        #expect(ryu.name == "류 지슈" && ryu.originalName == "笠智衆")
    }

    @Test func pagesOfPeopleEndWhereTheResultsDo() async throws {
        let query = try #require(MovieQuery("a"))
        let first = try await self.fixture.people.search(query, page: 1, language: self.english)
        let last = try await self.fixture.people.search(query, page: first.totalPages, language: self.english)
        let behind = try await self.fixture.people.search(query, page: first.totalPages + 1, language: self.english)
        #expect(first.results.count == 20 && first.totalPages > 1)
        #expect(last.results.count == first.totalResults - 20 * (first.totalPages - 1))
        #expect(behind.results.isEmpty && behind.totalResults == first.totalResults)
    }
}
