import Flights

/// One hop on its way through libcurl.
///
/// Lives on the fetch thread.
final class Transfer {
    typealias Continuation = CheckedContinuation<HopResult, any Error>

    let id: UInt64
    let url: FetchURL
    let urgency: Urgency
    let trace: OriginExposure
    let curl: CurlTransfer
    /// Resumed by the loop, once it has let go of the transfer.
    let continuation: Continuation

    private let exchange: HTTPExchange

    /// - Throws: ``FetchError/outOfMemory``; the submission's continuation is then still the loop's to resume.
    init(
        _ submission: FetchSubmission, configuration: FetchConfiguration, secondsSince1970: @escaping () -> Int64
    ) throws(FetchError) {
        let exchange = HTTPExchange(
            id: submission.id,
            hop: submission.hop,
            sink: submission.sink,
            configuration: configuration,
            secondsSince1970: secondsSince1970
        )
        self.curl = try CurlTransfer(submission.hop, exchange: exchange, configuration: configuration)
        self.id = submission.id
        self.url = submission.hop.url
        self.urgency = submission.urgency
        self.trace = submission.hop.trace
        self.exchange = exchange
        self.continuation = submission.continuation
    }

    /// What became of it.
    func conclude(code: Int32) -> HopResult {
        self.exchange.conclude(self.curl.ending(code: code))
    }
}

extension FetchError {
    /// `CURLE_OUT_OF_MEMORY`.
    static var outOfMemory: FetchError { .failed(code: 27, "out of memory") }
}
