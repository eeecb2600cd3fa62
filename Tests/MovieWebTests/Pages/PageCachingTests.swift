import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieWeb

/// Header fields of pages, tested with a page that has all of them.
@Suite(.timeLimit(.hang))
struct PageCachingTests {
    private let fixture: MovieServicesFixture

    init() throws {
        self.fixture = try MovieServicesFixture()
        self.fixture.catalogue.set(
            [MovieServicesFixture.summary("heat-1995", title: "Heat", hasScene: true)], for: .list(.nowPlaying))
    }

    @Test func pagesOfVisitorsWithoutASessionAreForAll() async throws {
        try await self.fixture.serveWeb { server in
            let answer = try await server.page("/")
            #expect(answer.headers["cache-control"] == "public, max-age=60, stale-while-revalidate=600")
            let tag = try #require(answer.headers["etag"])
            let again = try await server.page("/", headers: ["If-None-Match": tag])
            #expect(again.status == 304 && again.headers["etag"] == tag && again.body.isEmpty)
            #expect(again.headers["content-security-policy"] == answer.headers["content-security-policy"])
            #expect(answer.text.contains("data-mark=\"favourite\""))
            #expect(!answer.text.contains("slot:"))
        }
    }

    @Test func pagesAreCompressed() async throws {
        try await self.fixture.serveWeb { server in
            let answer = try await server.page("/", headers: ["Accept-Encoding": "br"])
            #expect(answer.headers["content-encoding"] == "br")
            #expect(answer.body.count < 20_000)
        }
    }

    @Test func aPageSaysWhatABrowserMayDoWithIt() async throws {
        try await self.fixture.serveWeb { server in
            let answer = try await server.page("/")
            let policy = try #require(answer.headers["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self' 'sha256-"))
            #expect(!policy.contains("unsafe"))
            for sheet in answer.outline.all("style") {
                // The outline collapses white space, but the sheets contain none that it changes.
                #expect(policy.contains(ContentPolicy.source(of: sheet.text)), "\(sheet["id"] ?? "")")
            }
            let expected = [
                "x-content-type-options": "nosniff", "x-frame-options": "DENY", "referrer-policy": "same-origin",
                "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
            ]
            for (name, value) in expected { #expect(answer.headers[name] == value, "\(name)") }
            #expect(answer.headers["permissions-policy"]?.contains("camera=()") == true)
            #expect(answer.headers["access-control-allow-origin"] == nil)
            let rules = try #require(answer.headers["speculation-rules"])
            #expect(try await server.get(String(rules.dropFirst().dropLast())).status == 200)
        }
    }

    @Test func aPartHasTheContentAlone() async throws {
        try await self.fixture.serveWeb { server in
            let answer = try await server.page("/?part=1")
            #expect(answer.status == 200 && answer.headers["x-robots-tag"] == "noindex")
            let part = answer.outline
            #expect(part.complaints == [])
            #expect(part.all("style").isEmpty && part.all("nav").isEmpty && part.all("main").count == 1)
            #expect(part.first("meta") { $0["name"] == "paint" } != nil)
            #expect(!part.links.contains { $0.contains("part=") })
        }
    }

    @Test func aSourceThatFailsIsAProblemAndNotStored() async throws {
        for list in MovieList.allCases { self.fixture.catalogue.fail(.list(list), with: .tooSlow(.tmdb)) }
        try await self.fixture.serveWeb { server in
            let answer = try await server.page("/")
            #expect(answer.status == 504 && answer.headers["cache-control"] == "no-store")
        }
    }

    @Test func whatManyAskForAtOnceIsMadeOnce() async throws {
        try await self.fixture.serveWeb { server in
            let tags = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<8 { group.addTask { try await server.page("/").headers["etag"] } }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(tags.count == 1)
        }
    }

    @Test func aVisitorsPageHasTheirMarksAndIsNobodyElses() async throws {
        self.fixture.catalogue.set(
            [MovieServicesFixture.summary("heat-1995", title: "Heat", hasScene: true)], for: .list(.popular))
        try await self.fixture.serveWeb { server in
            #expect(try await server.page("/").text.contains("aria-pressed=\"false\""))
            let device = try await server.post(
                "/films/heat-1995/favourite", "token=0&on=1", headers: ["Sec-Fetch-Site": "same-origin"])
            #expect(device.status == 303)
            let cookie = try #require(device.headers["set-cookie"]?.prefix { $0 != ";" })
            let answer = try await server.page("/", headers: ["Cookie": String(cookie), "Accept-Encoding": "gzip"])
            #expect(answer.headers["cache-control"] == "private, no-cache" && answer.headers["etag"] == nil)
            #expect(answer.headers["content-encoding"] == "gzip" && answer.headers["speculation-rules"] == nil)
            let own = try await server.page("/", headers: ["Cookie": String(cookie)])
            let button = try #require(own.outline.first("button") { $0["aria-pressed"] != nil })
            #expect(button["aria-pressed"] == "true" && button["value"] == "0")
            #expect(own.outline.first("input") { $0["name"] == "token" }?["value"] != "0")
            #expect(try await server.page("/").text.contains("aria-pressed=\"false\""))
        }
    }

    @Test func storedDataOfASourceThatFailsSaysHowOldItIs() async throws {
        var fixture = self.fixture
        let catalogue = ScriptedCatalogue {
            FreshnessRecorder.current?.record(Staleness(seconds: 60, reason: .originFailed), age: 7200)
        }
        fixture.services.catalogue = catalogue
        try await fixture.serveWeb { server in
            let answer = try await server.page("/")
            #expect(answer.headers["cache-control"] == "public, max-age=10")
            #expect(answer.text.contains("<p>A stored copy, last confirmed 2 hours ago.</p>"))
        }
        try await self.fixture.serveWeb { server in
            let fresh = try await server.page("/")
            #expect(!fresh.text.contains("last confirmed"))
        }
    }
}
