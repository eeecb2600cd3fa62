/// Why a command and a server could not talk.
package enum ControlFailure: Error, Equatable, CustomStringConvertible {
    /// The socket cannot be used; the reason is the system's.
    case unusable(path: String, reason: String)
    /// A line is longer than `limit` bytes.
    case tooLong(limit: Int)
    /// The other end speaks another version of the protocol, or is something else.
    case garbled
    /// The server stopped before it had an answer.
    case ended
    /// More events came than were read.
    case unread

    package var description: String {
        switch self {
        case .unusable(let path, let reason): "the control socket in \(path) cannot be used: \(reason)"
        case .tooLong(let limit):
            "a line of more than \(limit) bytes cannot be sent to the server; ask for less at once"
        case .garbled: "the server does not speak this program's language; use the same version of both"
        case .ended: "the server stopped before it was done"
        case .unread: "the server's events were not read in time"
        }
    }
}
