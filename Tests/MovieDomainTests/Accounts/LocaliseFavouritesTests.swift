import Flights
import MovieDomain
import MovieTesting
import PosterTesting
import Synchronization
import Testing

@Suite(.timeLimit(.hang))
struct LocaliseFavouritesTests {
    private let english = LanguagePreference([.english])

    private func favourite(_ key: String, in language: Language?) throws -> Favourite {
        let id = try #require(MovieID(key))
        let drama = Genre(id: .drama, name: "드라마")
        let movie = try #require(MovieSummary(id: id, title: "제목 \(key)", genres: [drama]))
        return Favourite(movie: movie, addedAt: Instant(secondsSince1970: 1), language: language)
    }

    private func movie(_ key: String, title: String) throws -> Movie {
        let id = try #require(MovieID(key))
        return Movie(summary: try #require(MovieSummary(id: id, title: title)))
    }

    @Test func thoseOfAnotherLanguageAreRequestedAsSupplements() async throws {
        let isSupplement = Mutex<[Bool]>([])
        let movies = ScriptedMovies(willAnswer: { isSupplement.withLock { $0.append(Supplement.isCurrent) } })
        for key in ["a", "b", "c"] { movies.add(try self.movie(key, title: "Title \(key)"), in: .english) }
        let localise = LocaliseFavourites(sources: MovieRepositories([movies]))
        let stored = [
            try self.favourite("a", in: .korean), try self.favourite("b", in: .english),
            try self.favourite("c", in: nil),
        ]
        let shown = try await localise(stored, language: self.english)
        #expect(shown.map(\.movie.title) == ["Title a", "제목 b", "Title c"], "in the order of the page")
        #expect(shown.map(\.language) == [.english, .english, .english])
        #expect(shown.map(\.addedAt) == stored.map(\.addedAt))
        #expect(isSupplement.withLock { $0 } == [true, true])
    }

    @Test func withoutTheSourceTheyAreAsStoredButForGenres() async throws {
        let movies = ScriptedMovies()
        let localise = LocaliseFavourites(
            sources: MovieRepositories([movies], off: [.tmdb: "--tmdb-key"]))
        movies.fail(with: .tooSlow(.embedded))
        let stored = [try self.favourite("a", in: .korean), try self.favourite("tmdb:603", in: .korean)]
        for failure in [SourceFailure.tooSlow(.embedded), nil] {
            movies.fail(with: failure)
            let shown = try await localise(stored, language: self.english)
            #expect(shown.map(\.movie.title) == stored.map(\.movie.title))
            #expect(shown.map(\.language) == [.korean, .korean])
            #expect(shown.map { $0.movie.genres.map(\.name) } == [["Drama"], ["Drama"]])
        }
        let language = try #require(Language("fr"))
        let french = try await localise(stored, language: LanguagePreference([language]))
        #expect(french == stored, "a name that the service does not have stays")
    }

    /// A KOBIS film and its link to a TMDB film.
    private func linked(_ failure: StorageFailure? = nil) throws -> (id: MovieID, identities: FilmIdentities) {
        let (id, other) = (try #require(MovieID("kobis:20228555")), try #require(MovieID("tmdb:301")))
        let linkedAt = Instant(secondsSince1970: 1)
        let links = MemoryFilmLinks([FilmLink(film: id, counterpart: other, reason: "same", linkedAt: linkedAt)])
        links.fail(with: failure)
        return (id, FilmIdentities(links: links, finder: nil, own: [], now: { linkedAt }))
    }

    @Test func thoseWithACounterpartHaveItsTexts() async throws {
        let (id, identities) = try self.linked()
        let (kobis, tmdb) = (ScriptedMovies(source: .kobis), ScriptedMovies(source: .tmdb))
        kobis.add(try self.movie("kobis:20228555", title: "브로커"))
        let score = AudienceScore(average: 7.25, count: 40)
        let other = try #require(MovieID("tmdb:301"))
        for (language, title, overview) in [(Language.english, "Broker", "A box."), (.korean, "브로커 (TMDB)", "상자.")] {
            let summary = MovieSummary(
                id: other, title: title, overview: overview, score: score,
                poster: PosterReference(.tmdb(file: "other.jpg")))
            tmdb.add(Movie(summary: try #require(summary)), in: language)
        }
        let sources = MovieRepositories([kobis, tmdb])
        let localise = LocaliseFavourites(sources: sources, identities: identities)
        var stored = try self.favourite("kobis:20228555", in: .korean)
        stored.movie.poster = PosterReference(.tmdb(file: "decided.jpg"))
        // For English, KOBIS is not called.
        kobis.fail(with: .tooSlow(.kobis))
        let english = try await localise([stored], language: self.english)[0]
        #expect(english.movie.id == id && english.movie.poster == stored.movie.poster && english.language == .english)
        #expect(english.movie.title == "Broker" && english.movie.overview == "A box." && english.movie.score == score)
        kobis.fail(with: nil)
        let korean = try await localise(
            [try self.favourite("kobis:20228555", in: .english)], language: LanguagePreference([.korean]))[0]
        #expect(korean.movie.title == "브로커" && korean.movie.overview == "상자.")
        tmdb.fail(with: .tooSlow(.tmdb))
        let alone = try await localise([stored], language: self.english)[0]
        #expect(alone.movie.title == "브로커" && alone.movie.score == nil, "of its own source")
        tmdb.fail(with: nil)

        let favourites = MemoryFavourites()
        let add = AddFavourite(
            sources: sources, identities: identities, favourites: favourites, now: { Instant(secondsSince1970: 2) })
        let added = try await add(id, of: .device(id: "d"), language: self.english).favourite
        #expect(added.movie.id == id && added.movie.title == "Broker" && added.movie.overview == "A box.")
    }

    @Test func aLinkThatCannotBeReadTakesNothingAway() async throws {
        let (_, identities) = try self.linked(StorageFailure(reason: "gone"))
        let kobis = ScriptedMovies(source: .kobis)
        kobis.add(try self.movie("kobis:20228555", title: "Broker"), in: .english)
        let localise = LocaliseFavourites(sources: MovieRepositories([kobis]), identities: identities)
        let shown = try await localise([try self.favourite("kobis:20228555", in: .korean)], language: self.english)
        #expect(shown.map(\.movie.title) == ["Broker"])
    }

    /// Counts concurrent calls, which wait until it is opened.
    private final class HeldMovies: MovieRepository {
        let source = MovieSource.embedded
        let waiting = AwaitedState((now: 0, most: 0, isOpen: false))

        func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
            self.waiting.change { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
            try await self.waiting.wait { $0.isOpen }
            self.waiting.change { $0.now -= 1 }
            return nil
        }
    }

    @Test func atMostEightAreRequestedAtOnce() async throws {
        let movies = HeldMovies()
        let localise = LocaliseFavourites(sources: MovieRepositories([movies]))
        let stored = try (1...20).map { try self.favourite("film-\($0)", in: .korean) }
        async let shown = localise(stored, language: self.english)
        try await movies.waiting.wait { $0.now == LocaliseFavourites.atOnce }
        movies.waiting.change { $0.isOpen = true }
        #expect(try await shown.count == 20)
        #expect(movies.waiting.value.most == LocaliseFavourites.atOnce)
    }

    @Test func aCallThatIsCancelledEnds() async throws {
        let movies = HeldMovies()
        let localise = LocaliseFavourites(sources: MovieRepositories([movies]))
        let stored = try (1...20).map { try self.favourite("film-\($0)", in: .korean) }
        let call = Task { try await localise(stored, language: self.english) }
        try await movies.waiting.wait { $0.now == LocaliseFavourites.atOnce }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }
}
