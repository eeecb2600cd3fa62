/// Why a command has no usable reply. Descriptions contain no password.
package enum RedisFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The client is not connected, or the connection was lost before the reply; the command may have been executed.
    case unavailable(String)
    /// No reply arrived within the deadline; the command may have been executed.
    case timedOut(Duration)
    /// The server's error message, with an explanation if it is about the server's configuration or state.
    case refused(String)
    /// The limits of the connection's pipeline (``PipelineLimits``) are reached.
    case overloaded
    /// The reply violates the protocol or exceeds the limits.
    case unintelligible(String)

    /// The failure before the first attempt to connect has ended; not a fault yet.
    package static let notConnectedYet = RedisFailure.unavailable("it is not connected yet")

    package var description: String {
        switch self {
        case .unavailable(let reason): "Redis is not available: \(reason)"
        case .timedOut(let duration): "Redis did not reply within \(duration)"
        case .refused(let reason): "Redis refused: \(reason)"
        case .overloaded: "too many commands are in progress"
        case .unintelligible(let reason): "the reply of Redis cannot be used: \(reason)"
        }
    }

    /// The value of the dimension `outcome` in metrics.
    package var label: String {
        switch self {
        case .unavailable: "unavailable"
        case .timedOut: "timed_out"
        case .refused: "refused"
        case .overloaded: "overloaded"
        case .unintelligible: "unintelligible"
        }
    }

    static func refusal(_ text: String) -> RedisFailure {
        guard let explanation = RefusalKind(text)?.explanation else { return .refused(text) }
        return .refused("\(text) (\(explanation))")
    }
}

/// Error replies about the server instead of the command, by their first word.
enum RefusalKind: String {
    case moved = "MOVED"
    case ask = "ASK"
    case crossSlot = "CROSSSLOT"
    case clusterDown = "CLUSTERDOWN"
    case readOnly = "READONLY"
    case masterDown = "MASTERDOWN"
    case loading = "LOADING"
    case noAuthentication = "NOAUTH"
    case wrongPassword = "WRONGPASS"
    case outOfMemory = "OOM"
    case notWriting = "MISCONF"

    init?(_ text: String) {
        self.init(rawValue: String(text.prefix { $0 != " " }))
    }

    var explanation: String? {
        switch self {
        case .moved, .ask, .clusterDown:
            "a node of Redis Cluster has only a part of the keys: connect through a proxy for Redis Cluster"
        case .crossSlot: "the keys of one command must have the same hash tag"
        case .readOnly: "the server is a replica: connect to the master, or through a proxy that follows Sentinel"
        case .masterDown, .loading: nil
        case .noAuthentication: "a password is required"
        case .wrongPassword: "the user or the password is wrong"
        case .outOfMemory: "'maxmemory' is reached: set the policy volatile-lru, or raise the limit"
        case .notWriting: "the server cannot write snapshots"
        }
    }

    /// Whether another connection may reach a server that executes the command: after a fail-over, or with loaded data.
    var needsOtherConnection: Bool {
        switch self {
        case .readOnly, .masterDown, .loading, .noAuthentication: true
        case .moved, .ask, .crossSlot, .clusterDown, .wrongPassword, .outOfMemory, .notWriting: false
        }
    }
}
