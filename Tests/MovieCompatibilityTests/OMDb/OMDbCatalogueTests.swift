import MovieDomain
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// OMDb's format without a key: films of the embedded catalogue.
@Suite(.timeLimit(.hang))
struct OMDbCatalogueTests {
    private static let id = TMDBNumber.title(of: CatalogueFixture.film) ?? ""

    private static func json(_ server: LiveServer, _ query: String) async throws -> OrderedJSON {
        let answer = try await server.get("/compat/omdb/?\(query)")
        try #require(answer.status == 200, "\(query): \(answer.text)")
        return try OrderedJSON(parsing: answer.body)
    }

    @Test func aFilmHasTheMembersOfOMDbInItsOrder() async throws {
        try await CatalogueFixture.common.serve { server in
            let film = try await Self.json(server, "i=\(Self.id)&apikey=any")
            #expect(
                film.members.map(\.name) == [
                    "Title", "Year", "Rated", "Released", "Runtime", "Genre", "Director", "Writer", "Actors", "Plot",
                    "Language", "Country", "Awards", "Poster", "Ratings", "Metascore", "imdbRating", "imdbVotes",
                    "imdbID", "Type", "DVD", "BoxOffice", "Production", "Website", "Response",
                ])
            #expect(film["Title"] == "Nosferatu" && film["Year"] == "1922" && film["Released"] == "04 Mar 1922")
            #expect(film["Director"] == "F. W. Murnau" && film["Country"] == "Germany" && film["Rated"] == "PG")
            #expect(film["Writer"] == "N/A" && film["Metascore"] == "N/A" && film["Language"] == "German")
            #expect(film["imdbID"]?.string == Self.id && film["Type"] == "movie" && film["Response"] == "True")
            #expect(film["Runtime"]?.string?.hasSuffix(" min") == true)
            let rating = try #require(film["imdbRating"]?.string)
            #expect(film["Ratings"]?.elements.first?["Value"]?.string == "\(rating)/10")
            #expect(film["imdbVotes"]?.string?.contains(",") == true)
            #expect(film["Poster"]?.string?.hasPrefix("http://localhost/poster/") == true)
            #expect(film.members.allSatisfy { $0.name == "Ratings" || $0.value.string?.isEmpty == false })
        }
    }

    @Test func aShortPlotIsTheBeginningOfTheFullOne() async throws {
        try await CatalogueFixture.common.serve { server in
            let short = try #require(try await Self.json(server, "i=\(Self.id)")["Plot"]?.string)
            let full = try #require(try await Self.json(server, "i=\(Self.id)&plot=full")["Plot"]?.string)
            #expect(full.hasPrefix(short) && short.count < full.count && short.hasSuffix("."))
        }
    }

    @Test(
        "a title finds the film of that name",
        arguments: [
            ("Metropolis", "Metropolis"), ("m", "M"), ("das+cabinet+des+dr.+caligari", "The Cabinet of Dr. Caligari"),
            ("Vertigo&y=1958", "Vertigo"), ("the+general&type=movie", "The General"), ("the%20kid&y=", "The Kid"),
        ])
    func title(query: String, title: String) async throws {
        try await CatalogueFixture.common.serve { server in
            let film = try await Self.json(server, "t=\(query)")
            #expect(film["Title"]?.string == title && film["Response"] == "True")
            let id = try #require(film["imdbID"]?.string)
            #expect(try await Self.json(server, "i=\(id)") == film)
        }
    }

    @Test func searchesHavePagesOfTen() async throws {
        try await CatalogueFixture.common.serve { server in
            let first = try await Self.json(server, "s=american+film")
            let rows = first["Search"]?.elements ?? []
            let total = try #require(first["totalResults"]?.string.flatMap { Int($0) })
            #expect(rows.count == 10 && total > 10 && first["Response"] == "True")
            #expect(rows[0].members.map(\.name) == ["Title", "Year", "imdbID", "Type", "Poster"])
            let second = try await Self.json(server, "s=american+film&page=2")
            let others = second["Search"]?.elements ?? []
            #expect(others.count == min(10, total - 10))
            #expect(Set((rows + others).compactMap { $0["imdbID"]?.string }).count == rows.count + others.count)
            let year = try await Self.json(server, "s=american+film&y=1925")
            #expect(year["Search"]?.elements.allSatisfy { $0["Year"] == "1925" } == true)
        }
    }

    @Test(
        "errors have OMDb's words",
        arguments: [
            ("", "Incorrect IMDb ID."), ("i=", "Incorrect IMDb ID."), ("i=tt", "Incorrect IMDb ID."),
            ("i=nosferatu-1922", "Incorrect IMDb ID."), ("i=tt0000000", "Movie not found!"),
            ("t=qwrtpsd", "Movie not found!"), ("s=qwrtpsd", "Movie not found!"),
            ("t=Metropolis&y=1928", "Movie not found!"),
            ("s=metropolis&page=2", "Movie not found!"), ("s=metropolis&page=0", "Movie not found!"),
            ("t=Metropolis&type=series", "Series not found!"), ("s=metropolis&type=episode", "Episode not found!"),
        ])
    func errors(query: String, message: String) async throws {
        try await CatalogueFixture.common.serve { server in
            let answer = try await server.get("/compat/omdb/?\(query)")
            #expect(answer.status == 200 && answer.text == #"{"Response":"False","Error":"\#(message)"}"#)
            #expect(answer.headers["cache-control"] == "no-store")
        }
    }

    @Test func keysAreThoseOfTheList() async throws {
        try await CatalogueFixture.common.serve(keys: try ClientKeys("omdb key")) { server in
            let target = "/compat/omdb?i=\(Self.id)"
            let without = try await server.get(target)
            #expect(without.status == 401 && without.text.contains("No API key provided."))
            let other = try await server.get(target + "&apikey=other")
            #expect(other.status == 401 && other.text.contains("Invalid API key!"))
            #expect(try await server.get(target + "&apikey=key").status == 200)
        }
    }

    @Test func everyFilmLeadsFromTheMovieDatabasesFormatToOMDbs() async throws {
        let fixture = try CatalogueFixture.common
        let films = try await fixture.services.allFilms(language: LanguagePreference([.english]), pageLimit: 50)
        let titles = films.compactMap { TMDBNumber.title(of: $0.id) }
        #expect(Set(titles).count == films.count && titles.allSatisfy { $0.utf8.count == 10 })
        try await fixture.serve { server in
            for film in films {
                let number = try #require(TMDBNumber.number(of: film.id))
                let details = try OrderedJSON(parsing: try await server.get("/compat/tmdb/3/movie/\(number)").body)
                let id = try #require(details["imdb_id"]?.string)
                #expect(try await Self.json(server, "i=\(id)")["Title"]?.string == film.title)
                let target = "/compat/tmdb/3/find/\(id)?external_source=imdb_id"
                let found = try OrderedJSON(parsing: try await server.get(target).body)
                #expect(found["movie_results"]?.elements.map { $0["id"] } == [.integer(number)])
            }
        }
    }
}
