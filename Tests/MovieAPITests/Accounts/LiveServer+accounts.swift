import HTTPTesting
import PosterTesting
import ServiceTesting
import Testing

extension LiveServer {
    func send(
        _ method: String, _ target: String, _ body: String = "", headers: [String: String] = [:]
    ) async throws -> HTTPConnection.Answer {
        let connection = try self.connect()
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.sorted().joined()
        try connection.send(
            raw: "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n"
                + body)
        return try await connection.answer(hasBody: method != "HEAD")
    }

    /// Signs in and returns the session's request headers.
    func signIn() async throws -> [String: String] {
        let session = try await self.openSession().json
        return ["Authorization": "Bearer \(try #require(session["token"] as? String))"]
    }

    /// The response to a sign-in approved by the user.
    ///
    /// - Parameter headers: Headers of the last request.
    func openSession(headers: [String: String] = [:]) async throws -> HTTPConnection.Answer {
        let authorization = try await self.send("POST", "/auth/token").json
        let token = try #require(authorization["requestToken"] as? String)
        _ = try await self.send("POST", "/auth/approve/\(token)", "approve=1")
        return try await self.send("POST", "/auth/session", "{\"requestToken\":\"\(token)\"}", headers: headers)
    }

    /// Registers a device and returns its request headers.
    func device() async throws -> [String: String] {
        let session = try await self.send("POST", "/auth/device").json
        return ["Authorization": "Bearer \(try #require(session["token"] as? String))"]
    }
}

/// Expects a response to be a problem of a kind.
func expectProblem(
    _ status: Int, _ kind: String, _ answer: HTTPConnection.Answer, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(answer.isProblem(status, kind), "\(answer.status) \(answer.text)", sourceLocation: sourceLocation)
}
