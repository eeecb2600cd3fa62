import Flights
import Foundation
import HTTPTesting
import Hummingbird
import Logging
import MovieWeb
import PictureTesting
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPSemantics
@testable import HTTPServer
@testable import OneSheetServer
@testable import OpenAPI
@testable import PosterAPI

/// The OpenAPI document matches the service's routes.
@Suite(.timeLimit(.hang))
struct DescriptionTests {
    private static func token() throws -> AdminToken { try AdminToken("0123456789abcdef") }

    /// The routes of a service with everything enabled.
    ///
    /// - Parameter web: The website's files; `nil` without a website.
    private func routes(web: WebFiles? = nil) async throws -> Set<APIDescription.Route> {
        let pipeline = PosterPipeline(
            originals: OriginalPorts(
                locator: KeyedPosterLocator(), store: MemoryOriginalStore(), source: ScriptedOriginalSource()),
            renderer: VariantRenderer(threads: BoundedThreadPool(count: 1, queueLimit: 1), now: Uptime.nanoseconds),
            variants: VariantCache(byteBudget: 1 << 20),
            environment: PipelineEnvironment(logger: Logger(label: "test")))
        var router = PosterRouter(pipeline: pipeline)
        router.films = try MovieServicesFixture().services
        router.web = web
        router.prefetching = (Warmer(pipeline: pipeline, concurrency: 1), try Self.token())
        router.status = {
            ServiceStatus(
                pipeline: pipeline.status, warming: 0, origins: [],
                disk: ServiceStatus.Disk(
                    originals: 0, bytes: 0, byteBudget: 0, unstored: 0, evicted: 0, damaged: 0, isWritable: true),
                queues: [])
        }
        let routes = try router.make().routes
        return Set(routes.map { APIDescription.Route(method: $0.method.rawValue, path: "\($0.path)") })
    }

    @Test func everyRouteIsDescribedAndEveryDescriptionHasARoute() async throws {
        let described = APIOperation.all.map(\.route)
        #expect(Set(described).count == described.count)
        let routes = try await self.routes()
        #expect(routes.subtracting(described).isEmpty)
        #expect(Set(described).subtracting(routes).isEmpty)
    }

    @Test func pagesAreNoResourcesAndTakeTheAddressOfNone() async throws {
        let resources = try await self.routes()
        let all = try await self.routes(web: try WebFiles())
        #expect(resources.subtracting(all).isEmpty)
        let pages = all.subtracting(resources)
        #expect(pages.contains(APIDescription.Route(method: "GET", path: "/")))
        #expect(pages.contains(APIDescription.Route(method: "GET", path: "/films/{id}/credits")))
        // Without a website, the URL of a film's page redirects to its details.
        let described = Set(APIOperation.all.map(\.path))
        #expect(pages.filter { described.contains($0.path) }.isEmpty)
    }

    @Test func aServiceWithPagesDoesNotDescribeThem() async throws {
        var settings = LiveServer.Settings()
        settings.films = try MovieServicesFixture().services
        settings.web = true
        let all = settings
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, all) { server in
                let paths = try #require(try await server.get("/openapi.json").json["paths"] as? [String: Any])
                #expect(paths["/movies/{id}"] != nil)
                for path in ["/", "/films/{id}", "/box-office", "/search", "/my/favourites"] {
                    #expect(paths[path] == nil, "\(path)")
                }
            }
        }
    }

    @Test func whatIsServedIsWhatIsInForceWhenItIsAskedFor() async throws {
        let policies = ReloadablePicturePolicy()
        try await withOrigin { origin in
            var settings = LiveServer.Settings()
            settings.pictures = policies
            try await LiveServer.run(origin: origin, settings) { server in
                let before = try await server.get("/openapi.json")
                #expect(!before.text.contains("Sec-CH-"))
                var policy = policies.policy
                policy.usesHints = true
                policies.replace(policy)
                let after = try await server.get("/openapi.json")
                #expect(after.text.contains("Sec-CH-"))
                #expect(after.headers["etag"] != before.headers["etag"])
            }
        }
    }

    @Test func whatIsServedIsOnlyWhatIsThere() async throws {
        let description = APIDescription(of: .service, routes: [.init(method: "GET", path: "/poster/{id}")])
        #expect(description.operations.map(\.name) == ["poster"])
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin) { server in
                let answer = try await server.get("/openapi.json")
                #expect(answer.status == 200)
                #expect(answer.headers["content-type"] == "application/json")
                let document = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
                let paths = try #require(document?["paths"] as? [String: [String: Any]])
                #expect(paths["/poster/{id}"]?.keys.sorted() == ["get", "head"])
                #expect(paths["/poster/prefetch"] == nil)  // no token is configured
                let tag = try #require(answer.headers["etag"])
                let again = try await server.get("/openapi.json", headers: ["If-None-Match": tag])
                #expect(again.status == 304)
                #expect(again.headers["content-length"] == nil)
            }
        }
    }

    @Test func theFileInDocsIsTheDescription() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/openapi.json")
        let written = try String(contentsOf: file, encoding: .utf8)
        let current = String(decoding: APIDescription.complete.json(), as: UTF8.self) + "\n"
        let isCurrent = written == current
        #expect(isCurrent, "write it anew: onesheet openapi > docs/openapi.json")
    }

    @Test func everyKindOfProblemIsAnsweredBySomethingAndHasAPage() throws {
        let answered = Set(APIOperation.all.flatMap(\.allProblems)).union([.methodNotAllowed])
        #expect(Set(Problem.Kind.allCases).subtracting(answered).isEmpty)
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/problems.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        for kind in Problem.Kind.allCases {
            #expect(page.contains("| `\(kind.rawValue)` | \(kind.status) |"), "\(kind.rawValue)")
        }
    }

    @Test func whatTheDocumentRefersToIsInItAndProblemsAreThereOnce() throws {
        let text = APIDescription.complete.json()
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
        var references: Set<String> = []
        func visit(_ value: Any) {
            if let object = value as? [String: Any] {
                if let reference = object["$ref"] as? String { references.insert(reference) }
                object.values.forEach(visit)
            }
            if let array = value as? [Any] { array.forEach(visit) }
        }
        visit(document)
        for reference in references {
            #expect(reference.hasPrefix("#/"))
            let place = reference.dropFirst(2).split(separator: "/").reduce(document as Any?) {
                ($0 as? [String: Any])?[String($1)]
            }
            #expect(place != nil, "\(reference)")
        }
        for operation in APIOperation.all {
            let path = (document["paths"] as? [String: [String: Any]])?[operation.path]
            let described = path?[operation.method.rawValue] as? [String: Any]
            let responses = try #require(described?["responses"] as? [String: [String: Any]])
            for (status, response) in responses where !operation.responses.contains(where: { "\($0.status)" == status })
            {
                #expect(response.keys.sorted() == ["$ref"], "\(operation.name) \(status)")
            }
        }
    }

    @Test func parametersOfThePathAreThoseOfTheTemplate() {
        for operation in APIOperation.all {
            let inPath = operation.path.split(separator: "{").dropFirst().map { $0.prefix { $0 != "}" } }
            let described = operation.parameters.filter { $0.place == .path }.map(\.name)
            #expect(inPath.map(String.init) == described, "\(operation.path)")
            let names = operation.parameters.map { "\($0.place) \($0.name)" }
            #expect(Set(names).count == names.count, "\(operation.path)")
        }
        let names = APIOperation.all.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
