import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// The requests that the network layer of AppStore, a client app, sends.
@Suite(.enabled(if: Samples.all != nil, "\(Samples.note)"), .timeLimit(.hang))
struct StoreAppTests {
    @Test func anAppIsLookedUpAndAppsAreSearchedInPages() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/lookup", .json(try Samples.bytes("itunes/lookup_software_things.json")))
            upstream.on("GET", "/lookup", query: ["id": "1"], .json(try Samples.bytes("itunes/search_empty.json")))
            upstream.on("GET", "/search", .json(try Samples.bytes("itunes/search_software_tweetbot.json")))
            try await SampleFixture(upstream).runPassingOn { server in
                try await AppClient.run(on: server) { client in
                    let app = try await client.json(.itunes, "/lookup", [("country", "kr"), ("id", "904280696")])
                    #expect(app["resultCount"] == 1)
                    #expect(app["results"]?.elements.first?["trackName"]?.string == "Things 3")
                    let none = try await client.json(.itunes, "/lookup", [("country", "kr"), ("id", "1")])
                    #expect(none["resultCount"] == 0 && none["results"] == [])
                    for offset in ["0", "7"] {
                        let found = try await client.json(
                            .itunes, "/search",
                            [
                                ("country", "kr"), ("media", "software"), ("term", "tweet bot"), ("offset", offset),
                                ("limit", "7"),
                            ])
                        let rows = found["results"]?.elements ?? []
                        #expect(rows.count == 7)
                        #expect(rows.allSatisfy { $0["fileSizeBytes"]?.string.flatMap { Int($0) } != nil })
                    }
                }
            }
            #expect(upstream.requests.map(\.path) == ["/lookup", "/lookup", "/search", "/search"])
            #expect(upstream.requests.allSatisfy { $0.query["country"] == "KR" })
            let searches = upstream.requests.suffix(2).map(\.query)
            #expect(searches.map { $0["offset"] } == ["0", "7"])
            #expect(searches.allSatisfy { $0["term"] == "tweet bot" && $0["limit"] == "7" })
            #expect(searches.allSatisfy { $0["media"] == "software" })
        }
    }
}
