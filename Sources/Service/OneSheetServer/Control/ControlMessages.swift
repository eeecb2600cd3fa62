import FoundationEssentials
import HTTPSemantics

/// A request of a command to the server that holds the data directory: one JSON line.
package enum ControlRequest: Codable, Equatable, Sendable {
    /// Forget posters: their originals and variants.
    case purge(ids: [String])
    /// Read every original again and compare it with its digest.
    case verify(repair: Bool)
    /// Render posters ahead of requests: each at each width (pixels) in each format.
    case warm(ids: [String], widths: [Int], formats: [String])
    /// Describe the server, or all nodes that use the same Redis.
    case status(all: Bool)
}

/// An event that the server sends to a command: JSON lines, of which the last is ``finished(summary:text:)``
/// , ``report(json:)``
/// or ``failed(reason:)``.
package enum ControlEvent: Codable, Equatable, Sendable {
    /// `total` is nil as long as it is not known.
    case progress(done: Int, total: Int?, note: String?)
    /// The result: numbers for machines, the same as text.
    case finished(summary: [String: Int], text: String)
    /// The result as one JSON object.
    case report(json: String)
    /// The reason of a failure, as a clause.
    case failed(reason: String)

    package var isLast: Bool {
        switch self {
        case .progress: false
        case .finished, .report, .failed: true
        }
    }
}

/// A failure of the control connection.
package enum ControlFailure: Error, Equatable, CustomStringConvertible {
    case unusable(path: String, reason: String)
    case tooLong(limit: Int)
    /// The other end speaks another version of the protocol, or is something else.
    case garbled
    /// The server stopped before it had an answer.
    case ended

    package var description: String {
        switch self {
        case .unusable(let path, let reason): "the control socket in \(path) cannot be used: \(reason)"
        case .tooLong(let limit):
            "a line of more than \(limit) bytes cannot be sent to the server; ask for less at once"
        case .garbled: "the server does not speak this program's language; use the same version of both"
        case .ended: "the server stopped before it was done"
        }
    }
}

/// JSON for machines: one object on one line, its keys sorted.
package enum JSONLine {
    package static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder.sorted.encode(value), as: UTF8.self)
    }
}
