import MovieDomain
import MovieTesting
import Testing

struct ReleaseTests {
    private func movie(_ releases: [Release], certificate: Certificate? = nil) throws -> Movie {
        let id = try #require(MovieID("tmdb:1"))
        return Movie(
            summary: try #require(MovieSummary(id: id, title: "a")), certificate: certificate, releases: releases)
    }

    private func release(_ date: String?, _ kind: Release.Kind, _ country: Country = .korea) -> Release {
        Release(
            country: country, date: date.flatMap { CalendarDate($0) }, kind: kind,
            certificate: kind == .digital ? Certificate("15", in: country) : Certificate("18", in: country))
    }

    @Test func theReleaseOfARegionIsTheFirstInCinemasElseTheFirstDigitalOne() throws {
        let cinemas = [
            self.release("1999-10-01", .premiere), self.release("2005-01-01", .theatrical),
            self.release("1999-11-13", .limited), self.release(nil, .theatrical),
            self.release("1990-01-01", .theatrical, .japan), self.release("1999-01-01", .digital),
        ]
        #expect(try self.movie(cinemas).release(in: .korea)?.date == CalendarDate("1999-11-13"))
        let digital = [self.release("2001-01-01", .physical), self.release("2002-01-01", .digital)]
        #expect(try self.movie(digital).release(in: .korea)?.kind == .digital)
        #expect(try self.movie(digital).release(in: .japan) == nil)
    }

    @Test func theRatingOfARegionIsThatOfItsCinemas() throws {
        let releases = [self.release("2002-01-01", .digital), self.release("1999-01-01", .theatrical)]
        #expect(try self.movie(releases).certificate(in: .korea)?.rating == "18")
        #expect(try self.movie(Array(releases.prefix(1))).certificate(in: .korea)?.rating == "15")
        let own = try #require(Certificate("12", in: .korea))
        #expect(try self.movie(releases, certificate: own).certificate(in: .korea) == own)
        #expect(try self.movie(releases, certificate: own).certificate(in: .japan) == nil)
    }

    @Test func releasesAreSortedByCountryAndDate() {
        let releases = [
            self.release(nil, .tv), self.release("2002-01-01", .digital), self.release("1999-01-01", .theatrical),
            self.release("2010-01-01", .theatrical, .japan),
        ]
        #expect(Release.sorted(releases).map(\.kind) == [.theatrical, .theatrical, .digital, .tv])
        #expect(Release.sorted(releases).first?.country == .japan)
    }

    @Test func offersAreInTheOrderOfTheirKindsWithoutEmptyOnes() {
        let provider = WatchOffers.Provider(id: "8", name: "A")
        let offers = WatchOffers([.buy: [provider], .free: [], .subscription: [provider]])
        #expect(offers.offers.map(\.kind) == [.subscription, .buy])
    }

    @Test func theFilmsOfACollectionAreByDateTheUndatedLast() throws {
        let films = try [
            ("tmdb:1", nil, nil), ("tmdb:2", "2003-05-15", nil), ("tmdb:3", nil, 2002), ("tmdb:4", "1999-03-31", nil),
        ]
        .map { (id: String, date: String?, year: Int?) in
            let id = try #require(MovieID(id))
            return try #require(
                MovieSummary(id: id, title: "a", releaseDate: date.flatMap { CalendarDate($0) }, year: year))
        }
        let reference = try #require(CollectionID("tmdb:10").flatMap { CollectionReference(id: $0, name: "A") })
        #expect(FilmCollection(reference, films: films).films.map(\.id.key) == ["4", "3", "2", "1"])
        #expect(CollectionReference(id: reference.id, name: "") == nil)
    }

    @Test func aFilterSaysWhatItChoosesBy() {
        #expect(FilmFilter().fields.isEmpty)
        #expect(FilmFilter(years: 1999...1999).fields == [.year] && FilmFilter(years: 1990...1999).fields == [.decade])
        let all = FilmFilter(
            genres: [.drama], country: .korea, originalLanguage: .korean, keyword: "tmdb:818", sort: .title)
        #expect(all.fields == [.genre, .country, .originalLanguage, .keyword])
    }

    @Test(
        arguments: [("tmdb:818", 818), ("818", nil), ("kmdb:818", nil), ("tmdb:0818", nil), ("tmdb:", nil)]
            as [(String, Int?)])
    func aKeywordOfTMDBHasANumber(id: String, number: Int?) {
        #expect(Keyword.tmdbNumber(ofID: id) == number)
        if let number { #expect(Keyword(tmdb: number, name: "a").id == id) }
    }

    @Test func collectionsOfASourceThatIsOffSayHowToSwitchItOn() async throws {
        let people = ScriptedPeople(source: .tmdb)
        let id = try #require(CollectionID("tmdb:10"))
        let language = LanguagePreference()
        await #expect(throws: SourceFailure.off(.tmdb, option: "--tmdb-key")) {
            try await ShowCollection([], off: [.tmdb: "--tmdb-key"])(id, language: language)
        }
        await #expect(throws: UnknownCollection(id)) { try await ShowCollection([people])(id, language: language) }
        let none = try #require(CollectionID("a-trilogy"))
        await #expect(throws: UnknownCollection(none), "a source without collections") {
            try await ShowCollection([people])(none, language: language)
        }
        let reference = try #require(CollectionReference(id: id, name: "A"))
        people.add(FilmCollection(reference, films: []))
        #expect(try await ShowCollection([people])(id, language: language).reference == reference)
    }
}
