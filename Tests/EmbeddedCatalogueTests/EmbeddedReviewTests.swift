import EmbeddedCatalogue
import MovieDomain
import Testing

struct EmbeddedReviewTests {
    @Test func comeInPagesOfTwentyTheLatestFirst() async throws {
        let movies = try EmbeddedFixture().movies
        let id = try #require(MovieID("metropolis-1927"))
        var all: [Review] = []
        for number in 1...2 {
            let page = try #require(
                try await movies.reviews(of: id, page: number, language: LanguagePreference([.korean])))
            #expect(page.totalPages == 2 && page.totalResults == 23)
            all += page.results
        }
        #expect(all.count == 23 && Set(all.map(\.id)).count == 23)
        let times = all.compactMap(\.createdAt)
        #expect(times.count == 23 && times == times.sorted(by: >))
        let movie = try #require(try await movies.movie(id, language: LanguagePreference([.korean])))
        #expect(movie.reviews == Array(all.prefix(3)))
    }

    @Test func ofMostFilmsThereAreTwoToFour() async throws {
        let movies = try EmbeddedFixture().movies
        var counts: [Int] = []
        for film in try await movies.all(limit: 1000, language: LanguagePreference([.korean])) {
            let page = try await movies.reviews(of: film.id, page: 1, language: LanguagePreference([.korean]))
            counts.append(page?.totalResults ?? 0)
        }
        #expect(counts.filter { (2...4).contains($0) }.count > 40)
    }

    @Test func aLongOneIsCutBetweenCharactersNotWithinThem() async throws {
        let movies = try EmbeddedFixture().movies
        let id = try #require(MovieID("the-housemaid-1960"))
        let page = try #require(try await movies.reviews(of: id, page: 1, language: LanguagePreference([.korean])))
        let long = try #require(page.results.first { $0.isTruncated })
        #expect(long.preview.count == 300 && long.content.count > 300)
        #expect(long.preview.contains("👨‍👩‍👧‍👦"))
        #expect(long.preview.unicodeScalars.count > 305)
        #expect(long.content.hasPrefix(long.preview))
    }
}

struct SimilarFilmsTests {
    @Test func sharePeopleFirst() async throws {
        let movies = try EmbeddedFixture().movies
        let id = try #require(MovieID("tokyo-story-1953"))
        let page = try #require(try await movies.similar(to: id, page: 1, language: LanguagePreference([.korean])))
        #expect(page.results.first?.id.key == "late-spring-1949")
        #expect(page.results.prefix(2).contains { $0.id.key == "i-was-born-but-1932" })
        let again = try await movies.similar(to: id, page: 1, language: LanguagePreference([.korean]))
        #expect(again == page)
    }
}
