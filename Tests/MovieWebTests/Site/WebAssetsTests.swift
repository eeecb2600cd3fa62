import PosterTesting
import ServiceTesting
import Testing

@testable import MovieWeb

@Suite(.timeLimit(.hang))
struct WebAssetsTests {
    private let fixture: MovieServicesFixture
    private let resources: WebResources

    init() throws {
        self.fixture = try MovieServicesFixture()
        self.resources = try WebResources()
    }

    @Test func filesAreStoredForAsLongAsTheirAddressHasTheirVersion() async throws {
        let resources = self.resources
        try await self.fixture.serveWeb { server in
            for (name, type) in [
                ("onesheet.css", "text/css; charset=utf-8"), ("onesheet.js", "text/javascript; charset=utf-8"),
                ("icon.svg", "image/svg+xml"), ("icon-192.png", "image/png"),
                ("speculation.json", "application/speculationrules+json"),
            ] {
                let answer = try await server.get(resources.address(of: name))
                #expect(answer.status == 200 && answer.headers["content-type"] == type, "\(name)")
                #expect(answer.headers["cache-control"] == "public, max-age=31536000, immutable", "\(name)")
                let tag = try #require(answer.headers["etag"])
                #expect(
                    try await server.get(resources.address(of: name), headers: ["If-None-Match": tag]).status == 304)
            }
        }
    }

    @Test func textsAreCompressed() async throws {
        let resources = self.resources
        try await self.fixture.serveWeb { server in
            for coding in ["br", "gzip"] {
                let answer = try await server.get(
                    resources.address(of: "onesheet.js"), headers: ["Accept-Encoding": coding])
                #expect(answer.headers["content-encoding"] == coding)
                #expect(answer.body.count < resources.assets["onesheet.js"]?.count ?? 0)
            }
            let picture = try await server.get(
                resources.address(of: "icon-512.png"), headers: ["Accept-Encoding": "br"])
            #expect(picture.headers["content-encoding"] == nil)
        }
    }

    @Test func filesOfAnotherVersionAreNotThere() async throws {
        let resources = self.resources
        try await self.fixture.serveWeb { server in
            for target in [
                "/assets/0000000000/onesheet.css", resources.address(of: "nothing.css"),
                resources.address(of: "service-worker.js"), resources.address(of: "..%2Fstrings.tsv"),
            ] {
                let answer = try await server.get(target)
                #expect(answer.status == 404 && answer.headers["cache-control"] == "no-store", "\(target)")
            }
        }
    }

    @Test func theServiceWorkerStoresEveryFileAndEveryOfflinePage() async throws {
        let resources = self.resources
        try await self.fixture.serveWeb { server in
            let answer = try await server.get("/service-worker.js")
            #expect(answer.headers["content-type"] == "text/javascript; charset=utf-8")
            #expect(answer.headers["cache-control"] == "no-cache")
            // The service worker fetches for pages, with its own policy.
            #expect(answer.headers["content-security-policy"] == "default-src 'none'; connect-src 'self'")
            let head = try #require(answer.text.split(separator: "\n").first)
            #expect(head.hasPrefix("const version = \"\(resources.version)\", assets = ["))
            for name in resources.assets.keys where name != "service-worker.js" {
                #expect(head.contains("\"\(resources.address(of: name))\""), "\(name)")
            }
            #expect(head.contains("\"ko\":\"/offline?language=ko\""))
            let script = String(decoding: try #require(resources.assets["service-worker.js"]), as: UTF8.self)
            #expect(answer.text.hasSuffix(script))
        }
    }

    @Test(arguments: [("ko", "검색"), ("en", "Search"), ("ja", "検索"), ("fr", "Search")])
    func theManifestSpeaksTheLanguage(language: String, shortcut: String) async throws {
        let resources = self.resources
        try await self.fixture.serveWeb { server in
            let answer = try await server.get("/manifest.webmanifest?language=\(language)")
            #expect(answer.headers["content-type"] == "application/manifest+json")
            #expect(answer.text.contains("\"name\":\"\(shortcut)\""))
            for name in ["icon.svg", "icon-192.png", "icon-512.png", "icon-maskable-512.png"] {
                let address = resources.address(of: name).replacing("/", with: "\\/")
                #expect(answer.text.contains(address) || answer.text.contains(resources.address(of: name)), "\(name)")
            }
        }
    }

    @Test func searchEnginesLeaveOutWhatIsOfOneVisitor() async throws {
        try await self.fixture.serveWeb { server in
            let answer = try await server.get("/robots.txt")
            #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
            for path in ["/my/", "/sign-in", "/search", "/badges"] {
                #expect(answer.text.contains("Disallow: \(path)\n"))
            }
        }
    }

    @Test func browsersFindAnIconWherePagesNameNone() async throws {
        try await self.fixture.serveWeb { server in
            let icon = try await server.get("/favicon.ico")
            #expect(icon.status == 200 && icon.headers["content-type"] == "image/png" && icon.body.count > 100)
        }
    }

    @Test func withoutPagesThereIsNoneOfIt() async throws {
        let resources = self.resources
        try await self.fixture.run { server in
            for target in ["/", "/robots.txt", "/service-worker.js", resources.address(of: "onesheet.css")] {
                let answer = try await server.get(target)
                #expect(answer.status == 404, "\(target)")
            }
            let film = try await server.get("/films/heat-1995")
            #expect(film.status == 303)
        }
    }
}
