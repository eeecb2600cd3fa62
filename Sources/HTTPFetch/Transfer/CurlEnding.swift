import CPosterCurl

/// How libcurl says that a transfer ended.
struct CurlEnding {
    /// The `CURLcode`.
    let code: Int32
    let outcome: poster_curl_outcome
    /// libcurl's words, for logs.
    let message: String
    /// Whether the request could be sent.
    let hasConnected: Bool
    /// Whether there was no descriptor for a socket.
    let isOutOfDescriptors: Bool

    /// The error that this is, unless a callback decided on one.
    ///
    /// - Parameter refused: The last address of the host that the guard refused.
    func error(url: FetchURL, refused: String?) -> FetchError {
        switch self.outcome {
        case .badURL: .invalidURL(url.text)
        case .notResolved: .resolutionFailed
        // A host may have several addresses. When none could be connected to, a refused one is the reason to name.
        case .notConnected:
            refused.map { .addressRefused($0) }
                ?? (self.isOutOfDescriptors ? .outOfDescriptors : .connectFailed(self.message))
        case .tlsFailed: .tls(self.message)
        case .notTrusted: .certificate(self.message)
        // The total timeout is ours, so libcurl has two reasons for this code, told apart by when they can occur.
        case .timedOut: self.hasConnected ? .tooSlow : .timedOut(.connect)
        case .complete, .cutShort: .truncated
        case .writeRefused, .outOfMemory, .other: .failed(code: self.code, self.message)
        }
    }
}
