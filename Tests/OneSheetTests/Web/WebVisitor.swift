import Foundation
import PosterTesting
import Testing

/// A browser without scripts: stores cookies, submits forms as the site's pages do, and follows redirects.
struct WebVisitor {
    /// Limit of consecutive redirects.
    private static let redirectLimit = 5

    let server: any TestServer
    var language = "en"
    private(set) var cookies: [String: String] = [:]

    init(_ server: any TestServer, language: String = "en") {
        self.server = server
        self.language = language
    }

    mutating func open(_ target: String) async throws -> HTTPConnection.Answer {
        try await self.send("GET", target)
    }

    mutating func submit(
        _ target: String, _ fields: KeyValuePairs<String, String>, accept: String = "text/html"
    ) async throws -> HTTPConnection.Answer {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        let encoded = fields.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
        }
        return try await self.send("POST", target, body: encoded.joined(separator: "&"), accept: accept)
    }

    /// Follows the redirects of a response to a page.
    ///
    /// - Returns: The page and its path and query.
    mutating func follow(
        _ answer: HTTPConnection.Answer
    ) async throws -> (page: HTTPConnection.Answer, target: String) {
        var (answer, target) = (answer, "")
        for _ in 0..<Self.redirectLimit where answer.status == 303 {
            target = try Self.target(of: answer)
            answer = try await self.open(target)
        }
        return (answer, target)
    }

    /// Path and query of a response's `Location`.
    static func target(of answer: HTTPConnection.Answer) throws -> String {
        let location = try #require(answer.headers["location"])
        guard let scheme = location.firstRange(of: "://") else { return location }
        let rest = location[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }

    /// The value of the first form field with a name.
    static func field(_ name: String, in page: HTTPConnection.Answer) throws -> String {
        let start = try #require(page.text.firstRange(of: "name=\"\(name)\" value=\""), "\(name): \(page.text)")
        return String(page.text[start.upperBound...].prefix { $0 != "\"" })
    }

    private mutating func send(
        _ method: String, _ target: String, body: String? = nil, accept: String = "text/html"
    ) async throws -> HTTPConnection.Answer {
        let host = "127.0.0.1:\(self.server.port)"
        var lines = [
            "\(method) \(target) HTTP/1.1", "Host: \(host)", "Accept: \(accept)", "Accept-Language: \(self.language)",
        ]
        if !self.cookies.isEmpty {
            lines.append("Cookie: " + self.cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; "))
        }
        if let body {
            lines += [
                "Origin: http://\(host)", "Sec-Fetch-Site: same-origin",
                "Content-Type: application/x-www-form-urlencoded", "Content-Length: \(body.utf8.count)",
            ]
        }
        let connection = try self.server.connect()
        try connection.send(raw: lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        let answer = try await connection.answer()
        self.store(answer.headers["set-cookie"] ?? "")
        return answer
    }

    /// - Parameter lines: Cookies joined by commas; no cookie of the site has a date, which would contain one.
    private mutating func store(_ lines: String) {
        for line in lines.split(separator: ",") {
            let parts = line.split(separator: ";").map { $0.drop { $0 == " " } }
            guard let pair = parts.first, let sign = pair.firstIndex(of: "=") else { continue }
            let isOver = parts.contains { $0.lowercased() == "max-age=0" }
            self.cookies[String(pair[..<sign])] = isOver ? nil : String(pair[pair.index(after: sign)...])
        }
    }
}
