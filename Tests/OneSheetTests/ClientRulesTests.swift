import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct ClientRulesTests {
    @Test func rulesThatCannotBeAreNamedWithWhatIsAllowed() throws {
        for (options, words) in [
            (["--trusted-proxy", "proxy.example"], "an address, a network such as 10.1.0.0/16"),
            (["--trusted-proxy", "10.0.0.1/8"], "an address, a network"),
            (["--trusted-proxy", "::/0"], "not the whole Internet"),
            (["--trusted-proxy", "unix", "--trusted-proxy", "::ffff:10.0.0.0/104"], "not within ::ffff:0:0/96"),
            (["--client-rate", "many"], "a whole number from 0 to"),
            (["--client-rate", "1", "--client-burst", "0"], "a whole number from 1 to"),
            (["--client-burst", "5"], "only together with --client-rate"),
            (["--new-token-rate", "0"], "a whole number from 1 to"),
            (["--new-token-total-burst", "none"], "a whole number from 1 to"),
        ] {
            let reason = try #require(try ServeArguments.refusal(options), "\(options)")
            #expect(reason.contains(words), "\(reason)")
        }
    }

    /// More requests than the limit of one per second allows, unless each takes a second.
    private static let count = 30

    @Test func theServiceLimitsClientsAndBelievesItsProxies() async throws {
        let folder = TemporaryFolder()
        let server = try await InProcessServer(
            dataDirectory: folder.path,
            ["--client-rate", "1", "--client-burst", "1"],
            environment: ["ONESHEET_TRUSTED_PROXY": "10.0.0.0/8,127.0.0.1"])
        let connection = try server.connect()
        for number in 1...Self.count {
            let headers = ["X-Forwarded-For": "192.0.2.\(number)"]
            #expect(try await connection.get("/poster/nosferatu-1922?w=92", headers: headers).status == 200)
        }
        var statuses: Set<Int> = []
        for _ in 1...Self.count {
            statuses.insert(try await connection.get("/poster/nosferatu-1922?w=92").status)
        }
        #expect(statuses == [200, 429])
        #expect(try await connection.get("/healthz").status == 200)
        #expect(await server.stop() == 0)
    }
}
