public import NIOCore

/// What metrics and the access log record of a request when its response has been written: the same on both
/// paths.
public struct RequestRecord: Sendable {
    /// Which way it was answered.
    public enum Way: String, Hashable, Sendable {
        /// On the connection's event loop, from memory.
        case eventLoop = "event-loop"
        /// By a route.
        case route
    }

    /// The template of the resource that answers most requests.
    public static let posterRoute = "/poster/{id}"
    /// In place of a template, when no route was found.
    public static let noRoute = "other"
    /// The status of a client that left before it had its answer; no such answer is ever sent.
    public static let abandonedStatus = 499

    /// The method's name.
    public var method: String
    /// Path and query as they came.
    public var target: String
    /// The route's template, such as `/poster/{id}`.
    public var route: String
    /// The answer's code.
    public var status: Int
    /// Of the answer's body as it was sent, in bytes.
    public var bodyLength: Int
    /// From the request's head to the end of the answer in the channel; how fast the client takes it is not in it.
    public var duration: TimeAmount
    /// Which way it was answered.
    public var way: Way
    /// The client; nil where it is not logged.
    public var client: ClientAddress?
    /// `Cache-Status` as it was answered; nil without.
    public var cacheStatus: String?
    /// The request's id; nil where it is not logged.
    public var requestID: String?

    /// Of an answer that is written.
    public init(
        method: String, target: String, route: String, status: Int, bodyLength: Int, duration: TimeAmount, way: Way
    ) {
        self.method = method
        self.target = target
        self.route = route
        self.status = status
        self.bodyLength = bodyLength
        self.duration = duration
        self.way = way
    }
}
