import InternetAddress
import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct AllowedNetworkTests {
    @Test func aHostThatIsNamedMayBePrivateAndNoOther() async throws {
        TestResolver.map("named.private.test", to: "127.0.0.1")
        TestResolver.map("other.private.test", to: "127.0.0.1")
        try await withOrigin { origin in
            origin.on("/", .redirect(to: "http://other.private.test:\(origin.port)/secret"))
            origin.on("/open", .image([1]))
            let fetcher = try makeFetcher {
                $0.allowPrivateAddresses = false
                $0.allowedPrivateHosts = ["named.private.test"]
            }
            let base = "http://named.private.test:\(origin.port)"
            #expect(try await fetcher.get(base + "/open").0.status == 200)
            await #expect(throws: FetchError.addressRefused("127.0.0.1")) { try await fetcher.get(base + "/") }
            #expect(origin.requestCount(to: "/secret") == 0)
        }
    }

    @Test func aNetworkThatIsAllowedCanBeConnectedTo() async throws {
        try await withOrigin { origin in
            origin.on("/", .image([1]))
            let network = try #require(IPNetwork("127.0.0.0/8"))
            let fetcher = try makeFetcher {
                $0.allowPrivateAddresses = false
                $0.allowedPrivateNetworks = [network]
            }
            #expect(try await fetcher.get(origin.url("/")).0.status == 200)
        }
    }
}
