import MovieDomain
import Testing

struct MovieTests {
    @Test(arguments: [
        "nosferatu-1922", "tmdb:603", "kobis:20228555", "kobis:2023C165", "kmdb:F01071", "omdb:tt9032400",
        "itunes:361309726",
    ])
    func anIDIsReadAsItIsWritten(text: String) throws {
        #expect(try #require(MovieID(text)).description == text)
    }

    @Test func theEmbeddedCataloguesIDsHaveAShortForm() {
        #expect(MovieID("sample:nosferatu-1922")?.description == "nosferatu-1922")
    }

    @Test(arguments: [
        "", ":", "tmdb:", "tmdb:0603", "tmdb:6x", "tmdb:../3", "imdb:tt1", "omdb:603", "kakao:1", "mdblist:tt1",
        "Nosferatu", "kobis:2022/1", "tmdb:1234567890123456789", "a b",
    ])
    func whatNamesNoFilmIsNoID(text: String) {
        #expect(MovieID(text) == nil)
    }

    @Test func aFilmHasATitleOrIsNone() throws {
        let id = try #require(MovieID("heat-1995"))
        #expect(MovieSummary(id: id, title: "") == nil)
        let summary = try #require(MovieSummary(id: id, title: "", originalTitle: "Heat"))
        #expect(summary.title == "Heat")
        #expect(MovieSummary(id: id, title: "히트")?.originalTitle == "히트")
    }

    @Test func ratingsAreHalvesFromAHalfToTen() {
        #expect([0.5, 1, 8.5, 10].map { Rating($0)?.value } == [0.5, 1, 8.5, 10])
        for wrong in [0, 0.25, 8.3, 10.5, -1, .nan, .infinity] { #expect(Rating(wrong) == nil, "\(wrong)") }
    }

    @Test func aPreviewIsThreeHundredCharactersAndCutsNone() {
        let family = "👨‍👩‍👧‍👦"
        let long = Review(id: "1", author: "a", content: String(repeating: family, count: 301))
        #expect(long.preview == String(repeating: family, count: 300))
        #expect(long.isTruncated)
        let exact = Review(id: "2", author: "a", content: String(repeating: family, count: 300))
        #expect(exact.preview == exact.content)
        #expect(!exact.isTruncated)
    }

    @Test func namesAndTextsOfASourceAreBounded() throws {
        let long = String(repeating: "가", count: 20_000)
        let member = Credits.CastMember(name: long, originalName: long + "나", role: long)
        #expect([member.name, member.originalName, member.role].allSatisfy { $0.utf8.count == 1023 })
        let worker = Credits.CrewMember(name: long, sourceJob: long)
        #expect([worker.name, worker.sourceJob].allSatisfy { $0.utf8.count == 1023 } && worker.job == .other)
        let id = try #require(MovieID("tmdb:1"))
        let film = try #require(MovieSummary(id: id, title: "A"))
        let part = Person.FilmPart(film, roles: [long], jobs: [Person.PersonJob(sourceJob: long)])
        #expect((part.roles + part.jobs.map(\.sourceJob)).allSatisfy { $0.utf8.count == 1023 })
        let fact = InformationItem(name: .productionCompanies, value: long)
        #expect((1...InformationItem.valueBytes).contains(fact.value.utf8.count))
    }

    @Test func aRowHasAFewOfManyDirectors() throws {
        let crew = (0..<5000).map { Credits.CrewMember.director("\($0)") }
        let names = FilmNames(Credits(cast: [], crew: crew))
        #expect(names.directors == (0..<MovieSummary.nameLimit).map(String.init))
        let row = MovieSummary(
            id: try #require(MovieID("kobis:1")), title: "A", directors: crew.map(\.name), cast: crew.map(\.name))
        #expect(row?.directors == names.directors && row?.cast == names.directors)
    }

    @Test func theBeginningOfAVeryLongWordDecidesItsMeaning() {
        #expect(Job(word: "Director" + String(repeating: " ", count: 1_000_000)) == .director)
        #expect(Job(word: "Director" + String(repeating: "s", count: 1_000_000)) == .other)
    }
}
