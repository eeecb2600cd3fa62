import MovieDomain
import PosterPipeline
import PosterTesting
import Testing

@testable import OneSheetServer

struct IMDbPosterIDsTests {
    /// Finds one film.
    private struct Finder: IMDbTitleFinder {
        let questions = Counter()
        var failure: SourceFailure?

        func film(ofIMDbTitle title: String) async throws -> MovieID? {
            self.questions.increment()
            if let failure { throw failure }
            return title == "tt0111161" ? MovieID("tmdb:278") : nil
        }
    }

    private let titles = RequestedTitles()

    private func ids(_ finder: Finder?, hasOMDb: Bool = false) -> IMDbPosterIDs {
        let find = FindByIMDbTitle(finder: finder, hasOMDb: hasOMDb, option: "--tmdb-key")
        return IMDbPosterIDs(find, titles: self.titles, now: { Instant(secondsSince1970: 0) })
    }

    @Test func aTitleIsLookedUpOnceForAllItsPosters() async throws {
        let finder = Finder()
        let ids = self.ids(finder)
        #expect(ids.knownID(for: try PosterID("imdb:tt0111161")) == nil)
        for (id, own) in [
            ("imdb:tt0111161", "tmdb:278"), ("imdb:tt0111161~textless-ja", "tmdb:278~textless-ja"),
            ("imdb:tt0111161~2", "tmdb:278~2"),
        ] {
            #expect(try await ids.ownID(for: PosterID(id)).description == own)
            #expect(ids.knownID(for: try PosterID(id))?.description == own)
        }
        #expect(finder.questions.value == 1)
        #expect(self.titles.title(of: try #require(MovieID("tmdb:278"))) == "tt0111161")
    }

    @Test func titlesThatNoSourceHasConfirmedAreNotNoted() throws {
        for id in ["omdb:tt0111161", "nosferatu-1922"] {
            let film = try #require(MovieID(id))
            self.titles.note("tt0111161", of: film)
            #expect(self.titles.title(of: film) == nil)
        }
    }

    @Test func aTitleThatTMDBDoesNotHaveIsOMDbs() async throws {
        let ids = self.ids(Finder(), hasOMDb: true)
        #expect(try await ids.ownID(for: PosterID("imdb:tt0000001~ja")).description == "omdb:tt0000001")
        #expect(try await self.ids(nil, hasOMDb: true).ownID(for: PosterID("imdb:tt0111161")).source == "omdb")
    }

    @Test func aTitleWithoutAFilmHasNoPoster() async throws {
        for text in ["imdb:tt0000001", "imdb:nm0000001", "imdb:tt", "imdb:603"] {
            let id = try PosterID(text)
            await #expect(throws: PosterError.unknownPoster(id)) { try await self.ids(Finder()).ownID(for: id) }
        }
    }

    @Test func aFailureOfTheSourceIsNotAMissingPoster() async throws {
        let id = try PosterID("imdb:tt0111161")
        await #expect(throws: PosterError.sourceFailed(name: "TMDB", .tooSlow)) {
            try await self.ids(Finder(failure: .tooSlow(.tmdb))).ownID(for: id)
        }
        await #expect(throws: PosterError.sourceFailed(name: "TMDB", .off(option: "--tmdb-key"))) {
            try await self.ids(nil).ownID(for: id)
        }
    }
}
