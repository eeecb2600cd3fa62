import CPosterCurl

/// How libcurl says that a transfer ended.
struct CurlResult {
    /// The `CURLcode`.
    let code: Int32
    let outcome: poster_curl_outcome
    /// libcurl's words, for logs.
    let message: String
    /// Whether the request could be sent.
    let hasConnected: Bool
    /// Whether there was no descriptor for a socket.
    let isOutOfDescriptors: Bool

    /// The failure that this is, unless a callback decided on one.
    ///
    /// - Parameter refused: The last address of the host that the guard refused.
    func failure(url: FetchURL, refused: String?) -> HopFailure {
        switch self.outcome {
        case .badURL: HopFailure(.invalidURL(FetchURL.shown(url.text)))
        case .notResolved: HopFailure(.resolutionFailed)
        // A host may have several addresses. When none could be connected to, a refused one is the reason to name.
        case .notConnected:
            HopFailure(
                refused.map { .addressRefused($0) }
                    ?? (self.isOutOfDescriptors ? .outOfDescriptors : .connectFailed(self.message)))
        case .tlsFailed: HopFailure(.tls(self.message))
        case .notTrusted: HopFailure(.certificate(self.message))
        case .trustUnreadable:
            .local(
                self.isOutOfDescriptors
                    ? .outOfDescriptors
                    : .failed(code: self.code, "the certificates that are trusted cannot be read"))
        // The total timeout is ours, so libcurl has two reasons for this code, told apart by when they can occur.
        case .timedOut: HopFailure(self.hasConnected ? .tooSlow : .timedOut(.connect))
        case .complete, .cutShort: HopFailure(.truncated)
        case .writeRefused, .outOfMemory: .local(.failed(code: self.code, self.message))
        case .other: HopFailure(.failed(code: self.code, self.message))
        }
    }
}
