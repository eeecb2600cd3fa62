import MovieDomain
import MovieTesting
import Testing

struct ShowMovieTests {
    private static func film(_ id: String = "film-1") throws -> Movie {
        let id = try #require(MovieID(id))
        return Movie(summary: try #require(MovieSummary(id: id, title: "A film")), imdbID: "tt1")
    }

    private static let supplement = MovieSupplement(
        scores: [ExternalScore(name: "X", value: "1"), ExternalScore(name: "Y", value: "2")],
        certificate: Certificate("R", in: .unitedStates),
        plot: "A plot.", actors: ["Somebody", ""], runtimeMinutes: 90,
        information: [
            InformationItem(name: .awards, value: "theirs"), InformationItem(name: .boxOffice, value: "theirs"),
        ])

    @Test func anotherSourceAddsOnlyWhatIsNotThere() async throws {
        let movies = ScriptedMovies()
        var movie = try Self.film()
        movie.otherScores = [ExternalScore(name: "X", value: "mine")]
        movie.information = [InformationItem(name: .awards, value: "mine")]
        movies.add(movie)
        let show = ShowMovie(
            sources: MovieRepositories([movies]),
            supplements: [ScriptedSupplements(["tt1": .success(Self.supplement)])])
        let details = try await show(movie.id, language: LanguagePreference())
        #expect(details.sources == [.embedded, .omdb] && details.missing.isEmpty)
        #expect(details.movie.otherScores.map(\.value) == ["mine", "2"])
        #expect(details.movie.information.map(\.value) == ["mine", "theirs"])
        #expect(details.movie.summary.overview == "A plot.")
        #expect(details.movie.certificate == Certificate("R", in: .unitedStates))
        #expect(details.movie.runtimeMinutes == 90 && details.movie.credits.cast.map(\.name) == ["Somebody"])
    }

    @Test func aSupplementFailsAlone() async throws {
        let movies = ScriptedMovies()
        movies.add(try Self.film())
        let show = ShowMovie(
            sources: MovieRepositories([movies]),
            supplements: [ScriptedSupplements(["tt1": .failure(.tooSlow(.omdb))])])
        let details = try await show(try Self.film().id, language: LanguagePreference())
        #expect(details.missing == [.tooSlow(.omdb)] && details.sources == [.embedded])
    }

    private static func scores(_ scores: [(String, String)]) -> MovieSupplement {
        MovieSupplement(
            scores: scores.map { ExternalScore(name: $0.0, value: $0.1) }, certificate: nil, plot: "", actors: [],
            runtimeMinutes: nil, information: [])
    }

    @Test func scoresOfSeveralSourcesAreMergedByNameTheFirstSourcesFirst() async throws {
        let movies = ScriptedMovies()
        movies.add(try Self.film())
        let show = ShowMovie(
            sources: MovieRepositories([movies]),
            supplements: [
                ScriptedSupplements(["tt1": .success(Self.scores([("A", "1"), ("B", "2")]))]),
                ScriptedSupplements(source: .mdblist, ["tt1": .success(Self.scores([("C", "3"), ("B", "0")]))]),
            ])
        let details = try await show(try Self.film().id, language: LanguagePreference())
        #expect(details.movie.otherScores.map(\.name) == ["A", "B", "C"])
        #expect(details.movie.otherScores.map(\.value) == ["1", "2", "3"])
        #expect(details.sources == [.embedded, .omdb, .mdblist] && details.missing.isEmpty)
    }

    @Test(arguments: [MovieSource.omdb, .mdblist])
    func aSourceOfScoresThatFailsTakesNothingFromTheOther(failing: MovieSource) async throws {
        let movies = ScriptedMovies()
        movies.add(try Self.film())
        let failure = SourceFailure.busy(failing, retryAfterSeconds: 9)
        let show = ShowMovie(
            sources: MovieRepositories([movies]),
            supplements: [MovieSource.omdb, .mdblist].map { source in
                let scores = Self.scores([("A", source.rawValue)])
                return ScriptedSupplements(
                    source: source, ["tt1": source == failing ? .failure(failure) : .success(scores)])
            })
        let details = try await show(try Self.film().id, language: LanguagePreference())
        let other = failing == .omdb ? MovieSource.mdblist : .omdb
        #expect(details.movie.otherScores == [ExternalScore(name: "A", value: other.rawValue)])
        #expect(details.sources == [.embedded, other] && details.missing == [failure])
    }

    @Test func aSourceIsNotAskedForScoresOfItsOwnFilms() async throws {
        let movies = ScriptedMovies(source: .omdb)
        let film = try Self.film("omdb:tt1")
        movies.add(film)
        let show = ShowMovie(
            sources: MovieRepositories([movies]),
            supplements: [
                ScriptedSupplements(["tt1": .failure(.tooSlow(.omdb))]),
                ScriptedSupplements(source: .mdblist, ["tt1": .success(Self.scores([("A", "1")]))]),
            ])
        let details = try await show(film.id, language: LanguagePreference())
        #expect(details.sources == [.omdb, .mdblist] && details.missing.isEmpty)
    }

    /// Returns a supplement only to requests that are marked.
    private struct MarkedSupplements: SupplementRepository {
        let source = MovieSource.omdb

        func supplement(imdbID: String) async throws -> MovieSupplement? {
            Supplement.isCurrent ? ShowMovieTests.supplement : nil
        }
    }

    @Test func aFilmDoesNotWaitLongForASupplement() async throws {
        let movies = ScriptedMovies()
        movies.add(try Self.film())
        let show = ShowMovie(sources: MovieRepositories([movies]), supplements: [MarkedSupplements()])
        let details = try await show(try Self.film().id, language: LanguagePreference())
        #expect(details.sources == [.embedded, .omdb], "the request is marked")
        #expect(!Supplement.isCurrent)
    }

    @Test func aMissingFilmAndAMissingSourceDiffer() async throws {
        let sources = MovieRepositories([ScriptedMovies()], off: [.tmdb: "--tmdb-key"])
        let unknown = try #require(MovieID("nothing"))
        let foreign = try #require(MovieID("tmdb:603"))
        let language = LanguagePreference()
        await #expect(throws: UnknownMovie(unknown)) {
            _ = try await ShowMovie(sources: sources)(unknown, language: language)
        }
        await #expect(throws: UnknownMovie(unknown)) {
            _ = try await ShowMovie(sources: sources).credits(of: unknown, language: language)
        }
        await #expect(throws: UnknownMovie(unknown)) {
            _ = try await ShowMovie(sources: sources).reviews(of: unknown, page: 1, language: language)
        }
        await #expect(throws: UnknownMovie(unknown)) {
            _ = try await ShowMovie(sources: sources).similar(to: unknown, page: 1, language: language)
        }
        await #expect(throws: SourceFailure.off(.tmdb, option: "--tmdb-key")) {
            _ = try await ShowMovie(sources: sources)(foreign, language: language)
        }
    }
}
