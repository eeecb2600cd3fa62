import Flights

/// A ``FetchRequest`` that has been read.
///
/// Printing one shows neither credentials nor the query.
struct ReadRequest: Sendable, Discreet {
    let url: FetchURL
    let headerLines: [String]
    let credentialLines: [String]
    let staysAtOrigin: Bool
    let isPublicOnly: Bool
    let urgency: Urgency

    /// - Throws: ``FetchError/invalidURL(_:)``, ``FetchError/forbiddenScheme(_:)`` or
    ///   ``FetchError/invalidHeader(_:)``.
    init(_ request: FetchRequest) throws(FetchError) {
        self.url = try FetchURL.requested(request.url)
        self.headerLines = try FetchRequest.lines(of: request.headers)
        self.credentialLines = try FetchRequest.lines(of: request.credentials)
        self.staysAtOrigin = request.staysAtOrigin
        self.isPublicOnly = request.isPublicOnly
        self.urgency = request.urgency
    }

    var description: String { "GET \(FetchURL.shown(self.url.text))" }
}
