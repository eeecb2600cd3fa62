public import Flights
import Synchronization

/// An HTTP server that replays an upstream's responses from a table of rules, with scripted faults.
///
/// ```swift
/// try await withUpstream { upstream in
///     upstream.on("/3/movie/603", query: ["language": "ko-KR"], .json(body))
///     …
///     #expect(upstream.requestCount(to: "/3/movie/603") == 1)
/// }
/// ```
/// The last matching rule applies; requests without one get a 404 with an empty body.
public final class ReplayingUpstream: Sendable {
    /// Makes a response from a request and the number of the rule's requests so far, starting with 1.
    private typealias Answer = @Sendable (OriginRequest, Int) -> OriginScript

    private struct Rule: Sendable {
        let method: String?
        let path: String
        let query: [String: String]
        let answer: Answer
        var useCount = 0

        func fits(_ request: OriginRequest) -> Bool {
            (self.method == nil || self.method == request.method) && self.path == request.path
                && self.query.allSatisfy { request.query[$0.key] == $0.value }
        }
    }

    /// The underlying server, for its connections.
    public let origin: OriginServer
    private let rules: Mutex<[Rule]>
    private let change = Mutex<(@Sendable (OriginScript) -> OriginScript)?>(nil)

    /// Creates an upstream on a server.
    public init(_ origin: OriginServer) {
        self.origin = origin
        self.rules = Mutex([])
        origin.onAnythingElse { [weak self] request in self?.script(for: request) ?? .status(503) }
    }

    /// The base URL without a trailing slash.
    public var baseURL: String { self.origin.baseURL }

    private func script(for request: OriginRequest) -> OriginScript {
        let rule = self.rules.withLock { rules -> Rule? in
            guard let index = rules.lastIndex(where: { $0.fits(request) }) else { return nil }
            rules[index].useCount += 1
            return rules[index]
        }
        let script = rule.map { $0.answer(request, $0.useCount) } ?? .status(404)
        guard let change = self.change.withLock({ $0 }) else { return script }
        return change(script)
    }

    private func add(_ method: String?, _ path: String, _ query: [String: String], _ answer: @escaping Answer) {
        let rule = Rule(method: method, path: path, query: query, answer: answer)
        self.rules.withLock { $0.append(rule) }
    }
}

/// Runs `body` with an upstream and shuts the upstream down afterwards.
public func withUpstream<Value>(_ body: (ReplayingUpstream) async throws -> Value) async throws -> Value {
    try await withOrigin { origin in try await body(ReplayingUpstream(origin)) }
}

// MARK: The table

extension ReplayingUpstream {
    /// Sets the response to requests with this path, these parameters at least, and this method (`nil` for any).
    public func on(
        _ method: String? = nil, _ path: String, query: [String: String] = [:], _ script: OriginScript
    ) {
        self.add(method, path, query) { _, _ in script }
    }

    /// Sets a response that depends on the request.
    public func on(
        _ method: String? = nil, _ path: String, query: [String: String] = [:],
        _ answer: @escaping @Sendable (OriginRequest) -> OriginScript
    ) {
        self.add(method, path, query) { request, _ in answer(request) }
    }

    /// Sets the responses to successive requests; the last one repeats.
    public func on(
        _ method: String? = nil, _ path: String, query: [String: String] = [:], inTurn scripts: [OriginScript]
    ) {
        self.add(method, path, query) { _, number in scripts[min(number, scripts.count) - 1] }
    }
}

// MARK: All answers

extension ReplayingUpstream {
    /// Holds the responses to all following requests until the gate opens.
    public func hold(_ gate: Gate) {
        let change: @Sendable (OriginScript) -> OriginScript = { .held(gate, $0) }
        self.change.withLock { $0 = change }
    }

    /// Sets the response to all following requests; `nil` returns to the table.
    public func answerAll(with script: OriginScript?) {
        guard let script else { return self.change.withLock { $0 = nil } }
        let change: @Sendable (OriginScript) -> OriginScript = { _ in script }
        self.change.withLock { $0 = change }
    }
}

// MARK: What happened

extension ReplayingUpstream {
    /// All requests so far, in order of arrival.
    public var requests: [OriginRequest] { self.origin.requests }

    /// The number of requests for a path so far.
    public func requestCount(to path: String) -> Int { self.origin.requestCount(to: path) }

    /// Returns once `count` requests for a path have arrived since the start.
    public func requestsArrived(at path: String, count: Int = 1) async throws {
        try await self.origin.requestsArrived(at: path, count: count)
    }
}

extension OriginRequest {
    /// The decoded query parameters; the last one if a name occurs several times.
    public var query: [String: String] {
        guard let mark = self.target.firstIndex(of: "?") else { return [:] }
        var query: [String: String] = [:]
        for part in self.target[self.target.index(after: mark)...].split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded)
            query[sides[0]] = sides.count > 1 ? sides[1] : ""
        }
        return query
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(rest.prefix(2)) ?? "", radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension OriginScript {
    /// A JSON response with additional fields.
    public static func json(
        _ body: [UInt8], status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> OriginScript {
        .answer(status: status, headers: [("Content-Type", "application/json;charset=utf-8")] + headers, body: body)
    }

    /// A JSON response from text.
    public static func json(
        _ text: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> OriginScript {
        .json(Array(text.utf8), status: status, headers: headers)
    }

    /// An HTML page instead of JSON, as intermediaries send it.
    public static func html(status: Int = 200) -> OriginScript {
        .answer(
            status: status, headers: [("Content-Type", "text/html")],
            body: Array("<html><head><title>Error</title></head></html>".utf8))
    }

    /// A 429 (Too Many Requests).
    public static func tooMany(retryAfter seconds: Int? = nil) -> OriginScript {
        .json(
            #"{"status_code":25,"status_message":"Your request count is over the allowed limit."}"#, status: 429,
            headers: seconds.map { [("Retry-After", String($0))] } ?? [])
    }

    /// A response that is held until the gate opens.
    public static func held(_ gate: Gate, _ script: OriginScript) -> OriginScript {
        OriginScript([.wait(gate)] + script.steps)
    }
}
