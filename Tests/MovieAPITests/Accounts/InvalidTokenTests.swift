import PosterTesting
import ServiceTesting
import Testing

/// Responses about films to requests with an invalid token, over real sockets.
@Suite(.timeLimit(.hang))
struct InvalidTokenTests {
    private static let targets = [
        "/movies/home?marks=true", "/movies/lists/popular?marks=true", "/movies/search?query=x&marks=true",
        "/movies/heat-1995?marks=true", "/movies/heat-1995/similar?marks=true", "/box-office/daily?marks=true",
    ]

    @Test func aTokenThatIsWorthNothingIsSaidToBe() async throws {
        try await MovieServicesFixture().run { server in
            let session = try await server.device()
            for target in Self.targets {
                let answer = try await server.get(target, headers: session)
                #expect(answer.status == 200 && answer.headers["www-authenticate"] == nil, "\(target)")
            }
            _ = try await server.send("DELETE", "/auth/session", headers: session)
            for target in Self.targets {
                for headers in [session, ["Authorization": "Bearer xxx"], ["Authorization": "bearer !"]] {
                    let answer = try await server.get(target, headers: headers)
                    #expect(answer.status == 200, "\(target)")
                    #expect(answer.headers["cache-control"] == "private, no-cache", "\(target)")
                    #expect(answer.headers["www-authenticate"] == "Bearer error=\"invalid_token\"", "\(target)")
                    #expect(answer.headers["vary"]?.hasSuffix("Authorization, Cookie") == true)
                }
            }
        }
    }

    @Test(arguments: [
        ["Authorization": "Basic dTpw"], ["Authorization": "nonsense"], ["Cookie": "onesheet_session=old"],
        ["Cookie": "a=b; onesheet_session="],
    ])
    func whatBrowsersOrOthersSendIsOnlyNotForCaches(headers: [String: String]) async throws {
        try await MovieServicesFixture().run { server in
            let answer = try await server.get("/movies/lists/popular?marks=true", headers: headers)
            #expect(answer.status == 200 && answer.headers["cache-control"] == "private, no-cache")
            #expect(answer.headers["www-authenticate"] == nil)
        }
    }

    @Test(arguments: [[:], ["Cookie": "a=b"], ["Authorization": "Bearer xxx"]])
    func requestsWithoutMarksGetThePublicResponse(headers: [String: String]) async throws {
        try await MovieServicesFixture().run { server in
            let answer = try await server.get("/movies/lists/popular", headers: headers)
            #expect(answer.headers["cache-control"]?.hasPrefix("public, ") == true)
            #expect(answer.headers["www-authenticate"] == nil)
        }
    }
}
