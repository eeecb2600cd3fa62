import MovieDomain
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// OMDb's own responses, if the server has a key.
@Suite(.timeLimit(.hang))
struct OMDbUpstreamTests {
    private static func run(
        _ upstream: ScriptedDocuments, _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let settings = LiveServer.Settings.compatible(documents: CompatibleUpstreams(omdb: upstream))
        try await MovieServicesFixture().run(settings, body)
    }

    @Test func unknownMembersSurviveAndPostersAreOfThisServer() async throws {
        let upstream = ScriptedDocuments()
        let film = #"{"Title":"a","Poster":"https://b.test/c.jpg","imdbID":"tt9032400","Type":"movie","New":["d"]}"#
        upstream.set(Array(film.utf8), for: "/")
        try await Self.run(upstream) { server in
            let answer = try await server.get("/compat/omdb/?i=tt9032400&plot=full&apikey=of-a-client&unknown=e")
            let own = try OrderedJSON(parsing: answer.body)
            #expect(own["New"] == ["d"] && own["Title"] == "a")
            #expect(own["Poster"]?.string?.hasPrefix("http://localhost/poster/omdb%3Att9032400?") == true)
        }
        let query = upstream.requests.first?.query.map { "\($0.name)=\($0.value)" }
        #expect(query == ["i=tt9032400", "plot=full", "r=json"], "keys of clients are not sent")
    }

    @Test func postersOfSearchesAreRewrittenWhereTheyAreOfFilms() async throws {
        let upstream = ScriptedDocuments()
        let rows = [("movie", "https://a.test/b.jpg"), ("series", "https://a.test/c.jpg"), ("movie", "N/A")].map {
            #"{"Title":"a","imdbID":"tt1","Type":"\#($0)","Poster":"\#($1)"}"#
        }
        let document = #"{"Search":[\#(rows.joined(separator: ","))],"totalResults":"3","Response":"True"}"#
        upstream.set(Array(document.utf8), for: "/")
        try await Self.run(upstream) { server in
            let found = try OrderedJSON(parsing: try await server.get("/compat/omdb?s=abc&page=2&y=1999").body)
            let posters = found["Search"]?.elements.compactMap { $0["Poster"]?.string } ?? []
            #expect(posters.first?.hasPrefix("http://localhost/poster/omdb%3Att1?") == true)
            #expect(posters.dropFirst() == ["https://a.test/c.jpg", "N/A"] && found["totalResults"] == "3")
        }
        #expect(upstream.requests.first?.query.map(\.name) == ["s", "y", "page", "r"])
    }

    @Test func whatIsNotThereIsSaidInOMDbsWords() async throws {
        let upstream = ScriptedDocuments()
        upstream.set(nil, for: "/")
        try await Self.run(upstream) { server in
            for (query, message) in [
                ("i=tt0000000", "Movie not found!"), ("t=a&type=series", "Series not found!"),
                ("s=a", "Too many results."), ("s=abc", "Movie not found!"),
            ] {
                let answer = try await server.get("/compat/omdb/?\(query)")
                #expect(answer.status == 200 && answer.text == #"{"Response":"False","Error":"\#(message)"}"#)
            }
        }
    }

    @Test(
        "failures have OMDb's statuses",
        arguments: [
            (SourceFailure.busy(.omdb, retryAfterSeconds: 30), 401, "Request limit reached!", "30"),
            (.keyRefused(.omdb), 503, "Error getting data.", nil),
            (.unavailable(.omdb, reason: "a"), 503, "Error getting data.", nil),
        ] as [(SourceFailure, Int, String, String?)])
    func failures(failure: SourceFailure, status: Int, message: String, retryAfter: String?) async throws {
        let upstream = ScriptedDocuments()
        upstream.fail("/", with: failure)
        try await Self.run(upstream) { server in
            let answer = try await server.get("/compat/omdb/?i=tt9032400")
            #expect(answer.status == status && answer.text.contains(message))
            if let retryAfter { #expect(answer.headers["retry-after"] == retryAfter) }
        }
    }
}
