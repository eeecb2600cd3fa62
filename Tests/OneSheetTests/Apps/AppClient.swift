import Foundation
import PosterTesting
import Testing

/// A client app: a new connection per request, a language and an optional token.
struct AppClient {
    let server: any TestServer
    var language = "ko"
    /// Bearer token.
    var token: String?
    /// Whether requests that the server refuses for now (503 with `Retry-After`) are repeated, as apps do.
    var repeatsRefused = false

    struct Answer {
        let status: Int
        let headers: [String: String]
        let body: JSON
        let text: String

        var isRefusedForNow: Bool { self.status == 503 && self.headers["retry-after"] != nil }
    }

    /// The same app, which repeats refused requests: on a busy machine a database may answer too late.
    var patient: AppClient {
        var client = self
        client.repeatsRefused = true
        return client
    }

    func send(_ method: String = "GET", _ target: String, body: String? = nil) async throws -> Answer {
        var answer = try await self.sendOnce(method, target, body: body)
        if self.repeatsRefused, answer.isRefusedForNow {
            try await eventually {
                answer = try await self.sendOnce(method, target, body: body)
                return !answer.isRefusedForNow
            }
        }
        return answer
    }

    private func sendOnce(_ method: String, _ target: String, body: String?) async throws -> Answer {
        let connection = try self.server.connect()
        var lines = ["\(method) \(target) HTTP/1.1", "Host: app.test", "Accept-Language: \(self.language)"]
        if let token { lines.append("Authorization: Bearer \(token)") }
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        try connection.send(raw: lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        let answer = try await connection.answer()
        let isJSON = answer.headers["content-type"]?.contains("json") == true && !answer.body.isEmpty
        return Answer(
            status: answer.status, headers: answer.headers, body: try JSON(isJSON ? answer.body : Array("null".utf8)),
            text: answer.text)
    }

    /// Returns the body of a GET; fails unless the status is 200.
    func get(_ target: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> JSON {
        let answer = try await self.send("GET", target)
        try #require(answer.status == 200, "\(target): \(answer.text)", sourceLocation: sourceLocation)
        return answer.body
    }

    func pages(of target: String) async throws -> [JSON] {
        var pages = [try await self.get(target)]
        while pages.count < (pages[0].totalPages.int ?? 0) {
            let separator = target.contains("?") ? "&" : "?"
            pages.append(try await self.get("\(target)\(separator)page=\(pages.count + 1)"))
        }
        return pages
    }

    func picture(_ url: String?) async throws -> Answer {
        try await self.send("GET", try #require(url))
    }
}
