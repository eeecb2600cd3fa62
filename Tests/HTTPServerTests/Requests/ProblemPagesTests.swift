import HTTPSemantics
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPServer
@testable import OpenAPI

/// Problems as HTML pages instead of JSON.
struct ProblemPagesTests {
    private struct Pages: ProblemPages {
        func page(
            for problem: Problem, causedBy cause: (any ProblemConvertible)?, _ request: Request, requestID: String
        ) -> Response? {
            guard !request.uri.path.hasPrefix("/movies") else { return nil }
            let text = "<h1>\(problem.kind.rawValue) \(requestID)\(cause is Closed ? " closed" : "")</h1>"
            return Response(
                status: .ok, headers: [.contentType: "text/html", .contentSecurityPolicy: "default-src 'self'"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
    }

    private struct Closed: ProblemConvertible {
        var problem: Problem { Problem(.overloaded, "closed") }
    }

    private static let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    private func answer(
        _ path: String, _ method: HTTPRequest.Method = .get, accept: String? = Self.browser,
        problem: (any Error)? = nil, pages: Bool = true
    ) async throws -> (status: Int, fields: HTTPFields, text: String) {
        let methods = MethodTable()
        methods.learn([APIDescription.Route(method: "GET", path: "/films/{id}")], forAdmins: [])
        let middleware = ResponseMiddleware(methods: methods, pages: pages ? Pages() : nil)
        var fields: HTTPFields = [:]
        fields[.accept] = accept
        let request = Request(
            head: HTTPRequest(method: method, scheme: nil, authority: nil, path: path, headerFields: fields),
            body: RequestBody(buffer: ByteBuffer()))
        var context = ServerRequestContext(request, channel: EmbeddedChannel(), logger: Logger(label: "test"))
        context.requestID = try #require(.init(given: "id-1", traceparent: nil))
        let response = try await middleware.handle(request, context: context) { _, _ in
            guard let problem else { throw HTTPError(.notFound) }
            throw problem
        }
        return (response.status.code, response.headers, String(buffer: try await response.body.collected()))
    }

    @Test(
        "a browser gets a page with the status and the fields of the problem",
        arguments: [HTTPRequest.Method.get, .post])
    func page(method: HTTPRequest.Method) async throws {
        let problem = Problem(.tooManyRequests, "slower", retryAfterSeconds: 7)
        let answer = try await self.answer("/films/a", method, problem: problem)
        #expect(answer.status == 429 && answer.text == "<h1>too-many-requests id-1</h1>")
        #expect(answer.fields[.contentType] == "text/html" && answer.fields[.cacheControl] == "no-store")
        #expect(answer.fields[.retryAfter] == "7" && answer.fields[.requestID] == "id-1")
        #expect(answer.fields[.contentSecurityPolicy] == "default-src 'self'", "that of the page stays")
        let sessionless = try await self.answer("/films/a", method, problem: Problem(.sessionRequired, "none"))
        #expect(sessionless.status == 401 && sessionless.fields[.wwwAuthenticate] == nil)
    }

    @Test func thePageOfAProblemKnowsTheErrorThatItIsOf() async throws {
        let answer = try await self.answer("/films/a", problem: Closed())
        #expect(answer.status == 503 && answer.text == "<h1>overloaded id-1 closed</h1>")
        let plain = try await self.answer("/films/a", problem: Problem(.overloaded, "closed"))
        #expect(plain.text == "<h1>overloaded id-1</h1>")
    }

    @Test func whatIsNotThereIsAPageAsWell() async throws {
        let unknown = try await self.answer("/nothing")
        #expect(unknown.status == 404 && unknown.text.contains("not-found"))
        let wrong = try await self.answer("/films/a", .post)
        #expect(wrong.status == 405 && wrong.fields[.allow] == "GET, HEAD, OPTIONS")
        #expect(wrong.text.contains("method-not-allowed"))
        let head = try await self.answer("/nothing", .head)
        #expect(head.status == 404 && head.text.isEmpty && head.fields[.contentType] == "text/html")
    }

    @Test(
        "programs get JSON",
        arguments: [
            nil, "*/*", "application/json", "text/*", "text/html;q=0", "text/html;q=0.000, */*", "text/htmlx",
        ] as [String?])
    func json(accept: String?) async throws {
        let answer = try await self.answer("/nothing", accept: accept)
        #expect(answer.fields[.contentType] == "application/problem+json" && answer.status == 404)
    }

    @Test(arguments: ["TEXT/HTML", "application/xml, text/html;q=0.05", "text/html;level=1"])
    func browsersAreRecognizedByTheTypeThatTheyName(accept: String) async throws {
        #expect(try await self.answer("/nothing", accept: accept).fields[.contentType] == "text/html")
    }

    @Test func resourcesForProgramsAndOtherMethodsHaveNoPages() async throws {
        #expect(try await self.answer("/movies/x").fields[.contentType] == "application/problem+json")
        #expect(try await self.answer("/nothing", .put).fields[.contentType] == "application/problem+json")
        #expect(try await self.answer("/nothing", pages: false).fields[.contentType] == "application/problem+json")
    }
}
