import Logging

extension OriginalLibrary {
    /// Whether what was known of an original cannot be true any more. Being busy, or nobody waiting, says nothing of it.
    static func disproves(_ error: any Error) -> Bool {
        switch error as? PosterError {
        case .unknownSource, .unknownPoster, .unacceptableKey, .originRefused: true
        case .sourceFailed, .badOriginal, .unsupportedImage, .overLimit, .tooLarge, .originUnavailable, .originBusy,
            .originTooSlow,
            .unrenderable, .overloaded, .storageFailed, nil:
            false
        }
    }

    /// Whether asking again at once would most likely give the same.
    static func isRemembered(_ error: PosterError) -> Bool {
        switch error {
        case .badOriginal, .unsupportedImage, .overLimit, .unknownPoster, .originRefused: true
        case .unknownSource, .sourceFailed, .unacceptableKey, .tooLarge, .originUnavailable, .originBusy,
            .originTooSlow,
            .unrenderable,
            .overloaded, .storageFailed:
            false
        }
    }

    /// Whether the origin said that there is no such original, or none for us.
    static func isWithdrawal(_ error: PosterError) -> Bool {
        switch error {
        case .unknownPoster, .originRefused: true
        default: false
        }
    }

    func log(_ message: Logger.Message, _ id: PosterID, _ error: any Error) {
        self.logger.info(message, metadata: ["poster.id": "\(id.loggedText)", "error.message": "\(error)"])
    }
}
