import FoundationEssentials
import HTTPSemantics

/// A request of a command to the server that holds the data directory: one JSON line.
package enum ControlRequest: Codable, Equatable, Sendable {
    /// Removes posters: their originals and variants.
    case purge(ids: [String])
    /// Reads every original and compares it with its digest.
    case verify(repair: Bool)
    /// Renders posters ahead of requests: each at each width (pixels) in each format.
    case warm(ids: [String], widths: [Int], formats: [String])
    case status(all: Bool)
}

/// An event that the server sends to a command as a JSON line. The last event is ``finished(summary:text:)``,
/// ``report(json:)`` or ``failed(reason:)``.
package enum ControlEvent: Codable, Equatable, Sendable {
    /// `total` is `nil` while it is unknown.
    case progress(done: Int, total: Int?, note: String?)
    /// The result, as numbers for machines and as text.
    case finished(summary: [String: Int], text: String)
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
    /// The other end uses another version of the protocol, or is another program.
    case garbled
    /// The server stopped before it had a result.
    case ended

    package var description: String {
        switch self {
        case .unusable(let path, let reason): "the control socket in \(path) cannot be used: \(reason)"
        case .tooLong(let limit):
            "a line of more than \(limit) bytes cannot be sent to the server; request less at once"
        case .garbled: "the server uses another protocol than this program; use the same version of both"
        case .ended: "the server stopped before the command was done"
        }
    }
}

/// Machine-readable JSON: one object on one line with sorted keys.
package enum JSONLine {
    package static func encode(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder.sorted.encode(value), as: UTF8.self)
    }
}
