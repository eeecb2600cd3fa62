package import HTTPSemantics
import HTTPServer
package import PosterPipeline

extension PosterError: ProblemConvertible {
    package var problem: Problem { Problem(self) }
}

extension OriginalBytes.Unreadable: ProblemConvertible {
    /// Part of `ProblemConvertible`: the file has changed since the response began.
    package var problem: Problem { Problem(.internalError, "the stored original cannot be read; try again") }
}

extension Problem {
    /// `Retry-After` for failed storage, in seconds.
    private static let storageRetrySeconds = 10

    package init(_ error: PosterError) {
        if case .sourceFailed(let name, .off(let option)) = error {
            self = .sourceOff(name, option: option)
            return
        }
        let (kind, retryAfter): (Kind, Int?) =
            switch error {
            case .unknownSource, .unknownPoster: (.unknownPoster, nil)
            case .sourceFailed(_, .off): (.sourceOff, nil)
            case .sourceFailed(_, .busy(let retryAfter)): (.sourceBusy, retryAfter)
            case .sourceFailed(_, .tooSlow): (.sourceTooSlow, nil)
            case .sourceFailed(_, .unavailable): (.sourceUnavailable, nil)
            case .unacceptableKey: (.invalidID, nil)
            case .tooLarge: (.invalidParameter, nil)
            case .unsupportedImage: (.unsupportedImage, nil)
            case .overLimit: (.imageOverLimit, nil)
            case .badOriginal: (.badOriginal, nil)
            case .originRefused: (.originUnavailable, nil)
            case .originUnavailable(_, let retryAfter): (.originUnavailable, retryAfter)
            case .originSuspended(let retryAfter): (.originUnavailable, retryAfter)
            case .originBusy(let retryAfter): (.originBusy, retryAfter)
            case .originTooSlow: (.originTooSlow, nil)
            case .unrenderable: (.internalError, nil)
            case .overloaded(let retryAfter): (.overloaded, retryAfter)
            case .cutOff(let retryAfter): (.cutOff, retryAfter)
            case .storageFailed: (.storageFailed, Self.storageRetrySeconds)
            }
        self.init(kind, error.description, retryAfterSeconds: retryAfter)
    }
}
