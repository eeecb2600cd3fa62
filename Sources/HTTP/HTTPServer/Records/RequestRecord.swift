package import NIOCore

/// What metrics and the access log record of a request when its response has been written: the same on both
/// paths.
package struct RequestRecord: Sendable {
    /// Which way it was answered.
    package enum Way: String, Hashable, Sendable {
        /// On the connection's event loop, from memory.
        case eventLoop = "event-loop"
        /// By a route.
        case route
    }

    /// The template of the resource that answers most requests.
    package static let posterRoute = "/poster/{id}"
    /// In place of a template, when no route was found.
    package static let noRoute = "other"
    /// The status of a client that left before it had its answer; no such answer is ever sent.
    package static let abandonedStatus = 499

    /// The method's name.
    package var method: String
    /// Path and query as they came.
    package var target: String
    /// The route's template, such as `/poster/{id}`.
    package var route: String
    /// The answer's code.
    package var status: Int
    /// Of the answer's body as it was sent, in bytes.
    package var bodyLength: Int
    /// From the request's head to the end of the answer in the channel; how fast the client takes it is not in it.
    package var duration: TimeAmount
    /// Which way it was answered.
    package var way: Way
    /// The client; nil where it is not logged.
    package var client: ClientAddress?
    /// `Cache-Status` as it was answered; nil without.
    package var cacheStatus: String?
    /// The request's id; nil where it is not logged.
    package var requestID: String?

    /// Of an answer that is written.
    package init(
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
