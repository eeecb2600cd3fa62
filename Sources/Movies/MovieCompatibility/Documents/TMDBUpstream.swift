package import HTTPTypes

/// The Movie Database, whose responses clients of its format get as they are.
package protocol TMDBUpstream: UpstreamDocuments {
    /// The response to a request of a guest, neither stored nor shared, whatever its status.
    ///
    /// - Parameters:
    ///   - path: Below the version, with a slash at its start.
    ///   - secrets: Parameters that are not in logs.
    ///   - json: The body; nil for none.
    /// - Throws: `SourceFailure`, `CancellationError`.
    func send(
        _ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)],
        secrets: [(name: String, value: String)], json: [UInt8]?
    ) async throws -> (status: Int, body: [UInt8])
}
