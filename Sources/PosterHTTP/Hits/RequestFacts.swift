public import NIOCore

/// What is known of a request when its answer has been written, for whoever counts or logs: the same for answers of all
/// ways.
public struct RequestFacts: Hashable, Sendable {
    /// Which way it was answered.
    public enum Way: Hashable, Sendable {
        /// On the connection's event loop, from memory.
        case eventLoop
        /// By a route.
        case route
    }

    /// The method's name.
    public var method: String
    /// Path and query as they came.
    public var target: String
    /// The answer's code.
    public var status: Int
    /// Of the answer's body as it was sent, in bytes.
    public var bodyLength: Int
    /// From the request's head to the end of the answer in the channel; how fast the client takes it is not in it.
    public var duration: TimeAmount
    /// Which way it was answered.
    public var way: Way
}
