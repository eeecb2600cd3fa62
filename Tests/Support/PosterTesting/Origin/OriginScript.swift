/// How an ``OriginServer`` answers one request: steps that are carried out in turn, byte for byte.
///
/// After the last step the connection is kept for the next request, so a script has to frame its body (a length, or
/// chunks) or end in ``OriginStep/close``.
public struct OriginScript: Sendable {
    /// What is done, in order.
    public var steps: [OriginStep]

    /// A script of one's own.
    public init(_ steps: [OriginStep]) {
        self.steps = steps
    }
}

/// One thing that a server may do to its client.
public enum OriginStep: Sendable {
    /// The status line and these header lines, and the empty line after them. Nothing is added.
    case head(status: Int, headers: [(name: String, value: String)])
    /// These bytes, whatever they are.
    case bytes([UInt8])
    /// These bytes in pieces of `size`, with a pause after each.
    case trickle([UInt8], size: Int, pause: Duration)
    /// Goes on when the test opens the gate.
    case wait(Gate)
    /// Does nothing more until the client leaves.
    case hang
    /// Ends the connection in order.
    case close
    /// Ends the connection with a TCP reset.
    case reset
}

extension OriginScript {
    /// A whole answer with `Content-Length`.
    public static func answer(
        status: Int = 200,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) -> OriginScript {
        let length = (name: "Content-Length", value: String(body.count))
        return OriginScript([.head(status: status, headers: headers + [length]), .bytes(body)])
    }

    /// A 200 with a picture, and with the validators that are given.
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

    /// An empty answer.
    ///
    /// A 304 has no `Content-Length`.
    public static func status(_ status: Int) -> OriginScript {
        status == 304 ? OriginScript([.head(status: 304, headers: [])]) : .answer(status: status)
    }

    /// A redirect with an empty body.
    public static func redirect(to location: String, status: Int = 302) -> OriginScript {
        .answer(status: status, headers: [("Location", location)])
    }

    /// Takes the request and says nothing.
    public static var hangBeforeHeaders: OriginScript { OriginScript([.hang]) }

    /// Promises `declared` bytes (one more than are sent, unless given), sends `sent` and says no more.
    public static func hangInBody(after sent: [UInt8], declared: Int? = nil) -> OriginScript {
        OriginScript([.length(declared ?? sent.count + 1), .bytes(sent), .hang])
    }

    /// Promises `declared` bytes, sends fewer and closes.
    public static func closeEarly(declared: Int, sent: [UInt8]) -> OriginScript {
        OriginScript([.length(declared), .bytes(sent), .close])
    }

    /// A 200 without a declared length, in these chunks.
    ///
    /// - Parameter isComplete: Whether the last chunk is sent; without it, the connection is closed instead.
    public static func chunked(_ chunks: [[UInt8]], isComplete: Bool = true) -> OriginScript {
        var steps = [OriginStep.head(status: 200, headers: [("Transfer-Encoding", "chunked")])]
        for chunk in chunks where !chunk.isEmpty {
            steps.append(.bytes(Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)))
        }
        return OriginScript(steps + [isComplete ? .bytes(Array("0\r\n\r\n".utf8)) : .close])
    }
}

extension OriginStep {
    /// The head of a 200 with that `Content-Length`.
    public static func length(_ byteCount: Int) -> OriginStep {
        .head(status: 200, headers: [("Content-Length", String(byteCount))])
    }
}
