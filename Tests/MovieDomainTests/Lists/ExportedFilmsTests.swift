import MovieTesting
import Testing

@testable import MovieDomain

struct ExportedFilmsTests {
    private func row(
        _ id: String, title: String, counterpart: String? = nil, year: Int? = nil, directors: [String] = []
    ) throws -> ExportedFilms.Row {
        let id = try #require(MovieID(id))
        let movie = try #require(
            MovieSummary(
                id: id, title: title, year: year, directors: directors,
                score: AudienceScore(average: 7.5, count: 2)))
        let saved = SavedFilm(Favourite(movie: movie, addedAt: Instant(secondsSince1970: 0)))
        return ExportedFilms.Row(saved, counterpart: counterpart.flatMap { MovieID($0) })
    }

    @Test func aTableHasAllColumns() throws {
        let films = ExportedFilms(
            rows: [
                try self.row("tmdb:603", title: "=Heat, \"1\"", year: 1995, directors: ["A", "B"]),
                try self.row("kobis:20228555", title: "-30-", counterpart: "tmdb:5"),
            ], isComplete: true)
        #expect(
            films.csv == """
                id,tmdbID,imdbID,title,originalTitle,year,directors,score,addedAt\r
                tmdb:603,603,,"'=Heat, ""1""\","'=Heat, ""1""\",1995,"A, B",7.5,1970-01-01T00:00:00Z\r
                kobis:20228555,5,,'-30-,'-30-,,,7.5,1970-01-01T00:00:00Z\r

                """)
        #expect(ImportRows(csv: films.csv)?.rows.map(\.titles) == [["=Heat, \"1\""], ["-30-"]])
    }

    @Test func letterboxdGetsItsColumnsAndPlainTitles() throws {
        let films = ExportedFilms(
            rows: [
                try self.row("omdb:tt0133093", title: "-30-", year: 1959), try self.row("ran-1985", title: "Ran"),
            ], isComplete: true)
        #expect(
            films.letterboxd
                == "tmdbID,imdbID,Title,Year,Directors\r\n,tt0133093,-30-,1959,\r\n,,Ran,,\r\n")
    }

    @Test func aListIsExportedWithKnownCounterparts() async throws {
        let stored = MemoryFavourites()
        let id = try #require(MovieID("kobis:20228555"))
        let now = Instant(secondsSince1970: 5)
        let links = MemoryFilmLinks([
            FilmLink(film: id, counterpart: try #require(MovieID("tmdb:1")), reason: "same title", linkedAt: now)
        ])
        let device = AuthenticatedSession(
            token: AccessToken(),
            session: Session(owner: .device(id: "d"), upstream: nil, expiresAt: Instant(secondsSince1970: 9999)))
        _ = try await stored.put(
            Favourite(movie: .whole(id), addedAt: now), of: device.favouritesOwner, limit: 10)
        let films = SavedFilms(
            stored, sources: MovieRepositories([]),
            identities: FilmIdentities(links: links, finder: nil, own: [], now: { now }), now: { now })
        let export = try await films.export(language: LanguagePreference(), for: device)
        #expect(export.rows.map(\.tmdbID) == ["1"] && export.isComplete)
    }
}
