package import HTTPFetch
import HTTPSemantics
package import PosterPipeline

extension PosterError {
    package init(_ error: FetchError) {
        switch error {
        case .invalidURL, .forbiddenScheme, .invalidHeader:
            self = .originUnavailable(reason: "the origin's URL is not usable")
        case .addressRefused:
            self = .originUnavailable(
                reason: "the origin has a private address; --allow-private-origin allows it")
        case .resolutionFailed: self = .originUnavailable(reason: "the origin's host name has no address")
        case .connectFailed: self = .originUnavailable(reason: "the origin does not accept connections")
        case .certificate(let words):
            self = .originUnavailable(reason: "the origin's certificate is not trusted (\(words))")
        case .tls: self = .originUnavailable(reason: "the TLS handshake with the origin failed")
        case .timedOut(.connect): self = .originTooSlow(reason: "connecting to the origin took too long")
        case .timedOut(.total): self = .originTooSlow(reason: "fetching from the origin took too long")
        case .tooSlow: self = .originTooSlow(reason: "the origin sent too slowly")
        case .tooLarge(let limit): self = .badOriginal(reason: "it sent more than the limit of \(limit) bytes")
        case .headTooLarge: self = .originUnavailable(reason: "the origin sent too large a response head")
        case .tooManyRedirects(let limit):
            self = .originUnavailable(reason: "the origin redirected more than \(limit) times")
        case .badRedirect: self = .originUnavailable(reason: "the origin redirected to a disallowed or invalid URL")
        case .badCoding(let words): self = .badOriginal(reason: words)
        case .truncated: self = .originUnavailable(reason: "the origin's response ended early")
        case .failed: self = .originUnavailable(reason: "fetching from the origin failed")
        case .sinkFailed: self = .storageFailed(reason: "an original could not be stored")
        case .originPaused(let retryAfter): self = .originBusy(retryAfter: RetryAfter.seconds(retryAfter))
        case .circuitOpen(let retryAfter): self = .originSuspended(retryAfter: RetryAfter.seconds(retryAfter))
        case .overloaded(let retryAfter): self = .overloaded(retryAfter: RetryAfter.seconds(retryAfter))
        case .outOfDescriptors: self = .overloaded(retryAfter: 1)
        case .shutDown: self = .overloaded(retryAfter: 1)
        }
    }

    /// The error for a response without a picture.
    init(_ head: FetchResponseHead, of id: PosterID) {
        let retryAfter = head.retryAfter.map(RetryAfter.seconds)
        switch head.status {
        case 404, 410: self = .unknownPoster(id)
        case 401, 403, 451: self = .originRefused(reason: "the origin refused, with status \(head.status)")
        case 429: self = .originBusy(retryAfter: retryAfter ?? 1)
        default:
            self = .originUnavailable(
                reason: "the origin answered with status \(head.status)", retryAfter: retryAfter)
        }
    }
}
