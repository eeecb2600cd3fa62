public import PosterPipeline

extension Problem {
    /// A pipeline's error in the words and numbers of HTTP.
    public init(_ error: PosterError) {
        switch error {
        case .unknownSource(let name, let known):
            self.init(.unknownPoster, "no source '\(name)' is configured; there are: \(known.joined(separator: ", "))")
        case .unknownPoster(let id): self.init(.unknownPoster, "there is no poster '\(id)'")
        case .unacceptableKey(let id, let reason): self.init(.invalidID, "the id '\(id)' cannot be used: \(reason)")
        case .tooLarge(let reason): self.init(.invalidParameter, "the picture would be \(reason)")
        case .unsupportedImage(let reason): self.init(.unsupportedImage, "the original is \(reason)")
        case .overLimit(let reason): self.init(.imageOverLimit, "the original is \(reason)")
        case .badOriginal(let reason): self.init(.badOriginal, "the origin did not send a usable image: \(reason)")
        case .originRefused(let reason): self.init(.originUnavailable, reason)
        case .originUnavailable(let reason, let retryAfter):
            self.init(.originUnavailable, reason, retryAfterSeconds: retryAfter)
        case .originBusy(let retryAfter):
            self.init(.originBusy, "the origin wants to be asked less often", retryAfterSeconds: retryAfter)
        case .originTooSlow(let reason): self.init(.originTooSlow, reason)
        case .unrenderable: self.init(.internalError, "the poster could not be encoded; the log has the cause")
        case .overloaded(let retryAfter):
            self.init(.overloaded, "too much is under way; try again", retryAfterSeconds: retryAfter)
        case .storageFailed(let reason): self.init(.storageFailed, reason, retryAfterSeconds: 10)
        }
    }
}
