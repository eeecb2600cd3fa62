import Flights

/// A ``FetchRequest`` that has been read.
///
/// Printing one shows neither credentials nor the query.
struct ValidatedRequest: Sendable, Redacted {
    let url: FetchURL
    let method: FetchMethod
    /// Nothing for a request without one.
    let body: [UInt8]?
    let keepsErrorBodies: Int
    let headerLines: [String]
    let credentialLines: [String]
    let staysAtOrigin: Bool
    let isPublicOnly: Bool
    let retriedStatuses: Set<Int>
    let urgency: Urgency

    /// - Throws: ``FetchError/invalidURL(_:)``, ``FetchError/forbiddenScheme(_:)`` or
    ///   ``FetchError/invalidHeader(_:)``.
    init(_ request: FetchRequest) throws(FetchError) {
        self.url = try FetchURL.requested(request.url)
        self.method = request.method
        self.body = request.body?.bytes
        self.keepsErrorBodies = max(0, request.keepsErrorBodies)
        let bodyHeaders = request.body.map { [(name: "Content-Type", value: $0.contentType)] } ?? []
        self.headerLines = try FetchRequest.lines(of: bodyHeaders + request.headers)
        self.credentialLines = try FetchRequest.lines(of: request.credentials)
        self.staysAtOrigin = request.staysAtOrigin
        self.isPublicOnly = request.isPublicOnly
        self.retriedStatuses = request.retriedStatuses
        self.urgency = request.urgency
    }

    var description: String { "\(self.method.rawValue) \(FetchURL.shown(self.url.text))" }
}
