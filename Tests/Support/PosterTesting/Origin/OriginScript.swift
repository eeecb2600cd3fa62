public import Flights

/// The response of an ``OriginServer`` to one request: steps carried out in turn, byte for byte.
///
/// The connection stays open after the last step, so a script has to frame its body (by a length or by chunks) or end
/// in ``OriginStep/close``.
public struct OriginScript: Sendable {
    /// The steps, in order.
    public var steps: [OriginStep]

    /// Creates a script.
    public init(_ steps: [OriginStep]) {
        self.steps = steps
    }
}

/// A step of a script.
public enum OriginStep: Sendable {
    /// Sends a status line, these header lines and an empty line. Nothing is added.
    case head(status: Int, headers: [(name: String, value: String)])
    /// Sends these bytes unchanged.
    case bytes([UInt8])
    /// Sends these bytes in pieces of `size`, with a pause after each.
    case trickle([UInt8], size: Int, pause: Duration)
    /// Waits until the test opens the gate.
    case wait(Gate)
    /// Opens the gate, so that the test can await the preceding steps.
    case open(Gate)
    /// Does nothing until the client disconnects.
    case hang
    /// Closes the connection normally.
    case close
    /// Ends the connection with a TCP reset.
    case reset
}

extension OriginScript {
    /// A complete response with `Content-Length`.
    public static func answer(
        status: Int = 200,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) -> OriginScript {
        let length = (name: "Content-Length", value: String(body.count))
        return OriginScript([.head(status: status, headers: headers + [length]), .bytes(body)])
    }

    /// A 200 with an image and the given validators.
    public static func image(
        _ bytes: [UInt8],
        contentType: String = "image/jpeg",
        etag: String? = nil,
        lastModified: String? = nil,
        cacheControl: String? = nil
    ) -> OriginScript {
        var headers = [(name: "Content-Type", value: contentType)]
        if let etag { headers.append(("ETag", etag)) }
        if let lastModified { headers.append(("Last-Modified", lastModified)) }
        if let cacheControl { headers.append(("Cache-Control", cacheControl)) }
        return .answer(headers: headers, body: bytes)
    }

    /// A response with an empty body.
    ///
    /// A 304 has no `Content-Length`.
    public static func status(_ status: Int) -> OriginScript {
        status == 304 ? OriginScript([.head(status: 304, headers: [])]) : .answer(status: status)
    }

    /// A redirect with an empty body.
    public static func redirect(to location: String, status: Int = 302) -> OriginScript {
        .answer(status: status, headers: [("Location", location)])
    }

    /// Reads the request and does not answer.
    public static var hangBeforeHeaders: OriginScript { OriginScript([.hang]) }

    /// Declares `declared` bytes (one more than `sent` by default), sends `sent` and then nothing.
    public static func hangInBody(after sent: [UInt8], declared: Int? = nil) -> OriginScript {
        OriginScript([.length(declared ?? sent.count + 1), .bytes(sent), .hang])
    }

    /// Declares `declared` bytes, sends fewer and closes.
    public static func closeEarly(declared: Int, sent: [UInt8]) -> OriginScript {
        OriginScript([.length(declared), .bytes(sent), .close])
    }

    /// A 200 with these chunks instead of a `Content-Length`.
    ///
    /// - Parameter isComplete: Whether the last chunk is sent; otherwise the connection is closed.
    public static func chunked(_ chunks: [[UInt8]], isComplete: Bool = true) -> OriginScript {
        var steps = [OriginStep.head(status: 200, headers: [("Transfer-Encoding", "chunked")])]
        for chunk in chunks where !chunk.isEmpty {
            steps.append(.bytes(Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)))
        }
        return OriginScript(steps + [isComplete ? .bytes(Array("0\r\n\r\n".utf8)) : .close])
    }
}

extension OriginStep {
    /// The head of a 200 with this `Content-Length`.
    public static func length(_ byteCount: Int) -> OriginStep {
        .head(status: 200, headers: [("Content-Length", String(byteCount))])
    }
}

extension OriginScript {
    /// The response of an origin with range support: the rest of `body` from the start of the request's `Range` if
    /// `If-Range` is `etag`, otherwise all of it.
    public static func ranged(_ body: [UInt8], etag: String, for request: OriginRequest) -> OriginScript {
        let start = request.headers["range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
        guard let start, start < body.count, request.headers["if-range"] == etag else {
            return .answer(headers: [("ETag", etag)], body: body)
        }
        let range = "bytes \(start)-\(body.count - 1)/\(body.count)"
        return .answer(status: 206, headers: [("ETag", etag), ("Content-Range", range)], body: Array(body[start...]))
    }

    /// A 200 that closes the connection after `count` bytes of its body.
    public static func cut(
        _ body: [UInt8], after count: Int, headers: [(name: String, value: String)]
    ) -> OriginScript {
        let length = (name: "Content-Length", value: String(body.count))
        return OriginScript([.head(status: 200, headers: headers + [length]), .bytes(Array(body[..<count])), .close])
    }
}
