/// Why there is no reply that could be used. Descriptions hold no password.
package enum RedisFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no connection, or it was lost before the reply: whether the command was done is not known then.
    case unavailable(String)
    /// No reply within the deadline; whether the command was done is not known.
    case timedOut(Duration)
    /// The server replied with an error: its words, with an explanation of those that are about its set-up.
    case refused(String)
    /// Too much is under way.
    case overloaded
    /// The reply is none of the protocol's, or larger than the limits.
    case unintelligible(String)

    /// Before the first attempt to connect has ended: no fault yet.
    package static let notConnectedYet = RedisFailure.unavailable("it is not connected yet")

    package var description: String {
        switch self {
        case .unavailable(let reason): "Redis is not available: \(reason)"
        case .timedOut(let duration): "Redis did not reply within \(duration)"
        case .refused(let reason): "Redis refused: \(reason)"
        case .overloaded: "too many commands are under way"
        case .unintelligible(let reason): "the reply of Redis cannot be read: \(reason)"
        }
    }

    /// In metrics.
    package var label: String {
        switch self {
        case .unavailable: "unavailable"
        case .timedOut: "timed_out"
        case .refused: "refused"
        case .overloaded: "overloaded"
        case .unintelligible: "unintelligible"
        }
    }

    /// - Parameter text: An error reply.
    static func refusal(_ text: String) -> RedisFailure {
        guard let explanation = RefusalKind(text)?.explanation else { return .refused(text) }
        return .refused("\(text) (\(explanation))")
    }
}

/// Errors that are about the server instead of the command, by their first word.
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
            "a node of Redis Cluster has only a part of the keys: a proxy that knows the cluster has to be in front of it"
        case .crossSlot: "keys of one command have to have the same hash tag"
        case .readOnly: "it is a replica: the master is needed, as by a proxy that follows Sentinel"
        case .masterDown, .loading: nil
        case .noAuthentication: "a password is needed"
        case .wrongPassword: "the user or the password is wrong"
        case .outOfMemory: "'maxmemory' is reached: the policy volatile-lru, or more memory, is needed"
        case .notWriting: "it cannot write its snapshots"
        }
    }

    /// Whether another connection may find a server that does it: after a fail-over, or when it has loaded its data.
    var needsOtherConnection: Bool {
        switch self {
        case .readOnly, .masterDown, .loading, .noAuthentication: true
        case .moved, .ask, .crossSlot, .clusterDown, .wrongPassword, .outOfMemory, .notWriting: false
        }
    }
}
