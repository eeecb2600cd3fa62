package import HTTPTypes

/// The Movie Database; clients of its format receive its responses unchanged.
package protocol TMDBUpstream: UpstreamDocuments {
    /// Sends a guest's request. The response, of any status, is neither stored nor shared.
    ///
    /// - Parameters:
    ///   - path: Relative to the version, with a leading slash.
    ///   - secrets: Parameters that must not be logged.
    ///   - json: The body; `nil` without one.
    /// - Throws: `SourceFailure`, `CancellationError`.
    func send(
        _ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)],
        secrets: [(name: String, value: String)], json: [UInt8]?
    ) async throws -> (status: Int, body: [UInt8])
}
