import FoundationEssentials
import PosterPipeline

/// The error of a node's fetch, for other nodes. Errors of the node itself are not shared.
struct SharedFetchFailure: Codable, Hashable, Sendable {
    private enum Kind: String, Codable {
        case unknown, refused, busy, tooSlow, unavailable, badOriginal, unsupported, overLimit
    }

    /// The prefix of the text in Redis; neither leases nor marks begin with it.
    static let prefix = "failed "
    private static let reasonLimit = 500
    /// Maximum length of a text in bytes: a reason of control characters, which JSON writes in six bytes each, fits.
    private static let byteLimit = 4096
    private static let retryLimit = 86_400

    private let kind: Kind
    private let reason: String
    private let retryAfter: Int?

    /// - Returns: `nil` for an error that does not concern the origin.
    init?(_ error: PosterError) {
        let (kind, reason, retryAfter): (Kind, String, Int?)
        switch error {
        case .unknownPoster: (kind, reason, retryAfter) = (.unknown, "", nil)
        case .originRefused(let text): (kind, reason, retryAfter) = (.refused, text, nil)
        case .originBusy(let seconds): (kind, reason, retryAfter) = (.busy, "", seconds)
        case .originTooSlow(let text): (kind, reason, retryAfter) = (.tooSlow, text, nil)
        case .originUnavailable(let text, let seconds): (kind, reason, retryAfter) = (.unavailable, text, seconds)
        case .badOriginal(let text): (kind, reason, retryAfter) = (.badOriginal, text, nil)
        case .unsupportedImage(let text): (kind, reason, retryAfter) = (.unsupported, text, nil)
        case .overLimit(let text): (kind, reason, retryAfter) = (.overLimit, text, nil)
        case .unknownSource, .sourceFailed, .unacceptableKey, .tooLarge, .originSuspended, .unrenderable, .overloaded,
            .cutOff, .storageFailed:
            return nil
        }
        self.kind = kind
        self.reason = String(reason.unicodeScalars.prefix(Self.reasonLimit))
        self.retryAfter = retryAfter
    }

    /// - Returns: `nil` for any other text, such as another version's, or one that is too long.
    init?(_ text: String) {
        // The decoder compares names, which takes quadratic time for many combining marks.
        guard text.utf8.count <= Self.byteLimit, text.hasPrefix(Self.prefix),
            let failure = try? JSONDecoder().decode(Self.self, from: Data(text.utf8.dropFirst(Self.prefix.utf8.count)))
        else { return nil }
        self = failure
    }

    var text: String {
        // Strings and numbers always encode.
        Self.prefix + ((try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    func error(for id: PosterID) -> PosterError {
        let seconds = self.retryAfter.map { min(max($0, 0), Self.retryLimit) }
        let reason = String(self.reason.unicodeScalars.prefix(Self.reasonLimit))
        return switch self.kind {
        case .unknown: .unknownPoster(id)
        case .refused: .originRefused(reason: reason)
        case .busy: .originBusy(retryAfter: seconds ?? 1)
        case .tooSlow: .originTooSlow(reason: reason)
        case .unavailable: .originUnavailable(reason: reason, retryAfter: seconds)
        case .badOriginal: .badOriginal(reason: reason)
        case .unsupported: .unsupportedImage(reason: reason)
        case .overLimit: .overLimit(reason: reason)
        }
    }
}
