import MovieDomain
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// Errors in The Movie Database's format.
@Suite(.timeLimit(.hang))
struct TMDBFaultTests {
    @Test(
        "each error has the code, the status and the words of The Movie Database",
        arguments: [
            ("GET", "movie/1", 404, 34, "The resource you requested could not be found."),
            ("GET", "movie/x", 404, 6, "Invalid id: The pre-requisite id is invalid or not found."),
            ("GET", "nothing", 404, 34, "The resource you requested could not be found."),
            ("GET", "person/latest", 404, 34, "The resource you requested could not be found."),
            ("GET", "tv/1399/account_states", 404, 34, "The resource you requested could not be found."),
            ("GET", "person/1", 404, 34, "The resource you requested could not be found."),
            ("GET", "collection/10", 404, 34, "The resource you requested could not be found."),
            (
                "GET", "movie/popular?page=501", 400, 22,
                "Invalid page: Pages start at 1 and max at 500. They are expected to be an integer."
            ),
            (
                "GET", "movie/popular?page=x", 400, 22,
                "Invalid page: Pages start at 1 and max at 500. They are expected to be an integer."
            ),
            (
                "GET", "movie/550?append_to_response=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u", 400, 27,
                "Too many append to response objects: The maximum number of remote calls is 20."
            ),
            ("GET", "find/tt1", 422, 5, "Invalid parameters: Your request parameters are incorrect."),
            (
                "GET", "discover/movie?primary_release_date.gte=soon", 400, 23,
                "Invalid date: Format needs to be YYYY-MM-DD."
            ),
            (
                "GET", "account", 401, 3,
                "Authentication failed: You do not have permissions to access the service."
            ),
            (
                "GET", "authentication/session/new?request_token=abc", 401, 33,
                "Invalid request token: The request token is either expired or invalid."
            ),
            ("DELETE", "movie/popular", 405, 42, "This request method is not supported for this resource."),
            ("GET", "account/1/favorite", 405, 42, "This request method is not supported for this resource."),
        ])
    func codes(method: String, target: String, status: Int, code: Int, message: String) async throws {
        try await CatalogueFixture.common.run { client in
            let answer = try await client.send(method, target)
            #expect(answer.status == status)
            let expected: OrderedJSON = [
                "success": false, "status_code": .integer(code), "status_message": .string(message),
            ]
            #expect(try answer.json == expected)
            #expect(answer.headers["cache-control"] == "no-store")
        }
    }

    @Test func aSearchWithoutATextHasAListOfErrors() async throws {
        try await CatalogueFixture.common.run { client in
            let answer = try await client.get("search/movie")
            #expect(answer.status == 422)
            #expect(try answer.json == ["errors": ["query must be provided"]])
        }
    }

    @Test func wrongKeysAreRefusedWhereTheyCount() async throws {
        try await CatalogueFixture.common.run(keys: try ClientKeys("tmdb right")) { client in
            for (target, headers, status) in [
                ("authentication?api_key=right", [:], 200), ("authentication", ["Authorization": "Bearer right"], 200),
                ("authentication?api_key=wrong", [:], 401), ("movie/popular", [:], 401),
            ] as [(String, [String: String], Int)] {
                let answer = try await client.get(target, headers: headers)
                #expect(answer.status == status, "\(target)")
                #expect(try answer.code == (status == 200 ? 1 : 7))
            }
        }
    }

    @Test func cachesTellClientsWithAKeyApart() async throws {
        try await CatalogueFixture.common.run { client in
            let open = try await client.get("movie/popular")
            #expect(open.headers["vary"] == "Accept-Encoding")
        }
        try await CatalogueFixture.common.run(keys: try ClientKeys("tmdb right")) { client in
            let answer = try await client.get("movie/popular?api_key=right")
            #expect(answer.headers["vary"] == "Authorization, Accept-Encoding")
            let configuration = try await client.get("configuration?api_key=right")
            #expect(configuration.headers["vary"] == "Host, Authorization, Accept-Encoding")
        }
    }

    @Test func everyCodeHasItsStatusAndWords() {
        #expect(TMDBStatusCode.allCases.map(\.rawValue) == Array(1...47))
        #expect(TMDBStatusCode.invalidInput.status == 400 && TMDBStatusCode.notApproved.status == 422)
        #expect(TMDBStatusCode.allCases.allSatisfy { !$0.message.isEmpty && (200...504).contains($0.status) })
    }

    @Test func scriptsOfOtherOriginsMayAsk() async throws {
        try await CatalogueFixture.common.run { client in
            let answer = try await client.send("OPTIONS", "movie/popular")
            #expect(answer.status == 204 && answer.headers["access-control-allow-origin"] == "*")
        }
    }

    @Test func picturesOfRowsAreServed() async throws {
        try await CatalogueFixture.common.run { client in
            let rows = try await client.get("movie/popular").json["results"]?.elements ?? []
            let path = try #require(rows.first?["poster_path"]?.string)
            let picture = try await client.server.get("/t/p/w92\(path)")
            #expect(picture.status == 200 && picture.headers["content-type"]?.hasPrefix("image/") == true)
        }
    }
}
