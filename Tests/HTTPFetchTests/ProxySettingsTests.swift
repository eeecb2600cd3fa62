import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct ProxySettingsTests {
    @Test(
        "which proxy a URL is fetched through",
        arguments: [
            ("http://a.test/", "http://plain:1"), ("https://a.test/", "http://secure:2"),
            ("http://inner.test/", nil), ("http://deep.inner.test/", nil), ("http://winner.test/", "http://plain:1"),
            ("http://other.test/", nil), ("http://10.1.2.3/", nil), ("http://11.1.2.3/", "http://plain:1"),
            ("http://[::1]/", nil),
        ] as [(String, String?)]
    )
    func choice(url: String, proxy: String?) throws {
        let environment = [
            "http_proxy": "http://plain:1", "HTTPS_PROXY": "http://secure:2",
            "no_proxy": "inner.test, .OTHER.test,10.0.0.0/8,::1",
        ]
        let url = try FetchURL.requested(url)
        #expect(ProxySettings { environment[$0] }.proxy(for: url) == proxy)
    }

    @Test func theFallbackTheStarAndTheCapitalsOfCGI() throws {
        let url = try FetchURL.requested("http://a.test/")
        let isAll: [String: String] = ["ALL_PROXY": "socks5://all:3"]
        #expect(ProxySettings { isAll[$0] }.proxy(for: url) == "socks5h://all:3", "it looks names up itself")
        let isExcluded = ["http_proxy": "http://plain:1", "NO_PROXY": "*"]
        #expect(ProxySettings { isExcluded[$0] }.proxy(for: url) == nil)
        let isOfARequest = ["HTTP_PROXY": "http://evil:4"]
        #expect(ProxySettings { isOfARequest[$0] }.proxy(for: url) == nil)
    }

    @Test func aProxyIsUsedOnlyWhenTheConfigurationWantsOne() async throws {
        TestResolver.map("proxied.test", to: "127.0.0.1")
        try await withOrigin { origin in
            try await withOrigin { proxyServer in
                let url = "http://proxied.test:\(origin.port)/x"
                origin.on("/x", .image([1]))
                proxyServer.on(url, .image([2]))
                let proxy = ProxySettings { $0 == "http_proxy" ? proxyServer.baseURL : nil }
                let direct = try makeFetcher(timing: FetchTiming(), proxy: proxy)
                #expect(try await direct.get(url).1 == [1])
                #expect(proxyServer.acceptedConnectionCount == 0)
                let indirect = try makeFetcher(timing: FetchTiming(), proxy: proxy) {
                    $0.usesEnvironmentProxy = true
                    $0.allowPrivateAddresses = false
                }
                #expect(try await indirect.get(url).1 == [2], "the proxy itself may be private")
                await #expect(throws: FetchError.addressRefused("127.0.0.1")) {
                    try await indirect.get(origin.url("/x"))
                }
                #expect(origin.requestCount(to: "/x") == 1)
            }
        }
    }
}
