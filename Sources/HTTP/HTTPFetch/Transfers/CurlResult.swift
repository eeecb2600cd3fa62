import CPosterCurl

/// How a transfer ended, as libcurl reports it.
struct CurlResult {
    /// The `CURLcode`.
    let code: Int32
    let outcome: poster_curl_outcome
    /// libcurl's error text, for logs.
    let message: String
    /// Whether the connection was ready for the request.
    let hasConnected: Bool
    /// Whether no socket could be opened for lack of descriptors.
    let isOutOfDescriptors: Bool

    /// The failure, unless a callback ended the transfer with one of its own.
    ///
    /// - Parameter refused: The last of the host's addresses that the ``AddressGuard`` refused.
    func failure(url: FetchURL, refused: String?) -> HopFailure {
        switch self.outcome {
        case .badURL: HopFailure(.invalidURL(FetchURL.shown(url.text)))
        case .notResolved: HopFailure(.resolutionFailed)
        // When none of a host's addresses could be connected to, and one was refused, that is the reason to report.
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
        // libcurl's own timeouts: connecting, and the low-speed limit, which applies only after it.
        case .timedOut: HopFailure(self.hasConnected ? .tooSlow : .timedOut(.connect))
        case .complete, .cutShort: HopFailure(.truncated)
        case .writeRefused, .outOfMemory: .local(.failed(code: self.code, self.message))
        case .other: HopFailure(.failed(code: self.code, self.message))
        }
    }
}
