import BoundedCache
package import PosterCodec

/// Why there is no poster, in the client's terms. Causes are logged where they are known.
public enum PosterError: Error, Hashable, Sendable {
    /// No source of that name is configured; `known` are those that are.
    case unknownSource(String, known: [String])
    /// The source could not say where the poster is.
    case sourceFailed(name: String, PosterSourceFailure)
    /// The source knows no such key, or has no poster for it.
    case unknownPoster(PosterID)
    /// The key cannot be asked of its source.
    case unacceptableKey(PosterID, reason: String)
    /// The requested picture is larger than the limit; `reason` has its size.
    case tooLarge(reason: String)
    /// A picture of a kind that is not decoded; `reason` names it.
    case unsupportedImage(reason: String)
    /// A picture larger than a limit; `reason` has the limit's name, its value and the picture's.
    case overLimit(reason: String)
    /// The origin sent something that is not a whole picture.
    case badOriginal(reason: String)
    /// The origin refused, with 401, 403 or 451.
    case originRefused(reason: String)
    /// The origin could not be reached, or sent no usable response. `retryAfter` is in seconds; nil when it is unknown.
    case originUnavailable(reason: String, retryAfter: Int? = nil)
    /// The origin has failed so often that this node sends it no requests for so many seconds.
    case originSuspended(retryAfter: Int)
    /// The origin is rate limiting; `retryAfter` is in seconds.
    case originBusy(retryAfter: Int)
    case originTooSlow(reason: String)
    /// The original is fine, but the variant could not be made of it.
    case unrenderable
    /// The service is overloaded. `retryAfter` is in seconds, estimated from the queue.
    case overloaded(retryAfter: Int)
    /// What other nodes have purged or replaced may be missing here. `retryAfter` is in seconds.
    case cutOff(retryAfter: Int)
    /// The data directory cannot be written or read.
    case storageFailed(reason: String)

    /// An original that was stored could not be read, twice.
    static var unreadableOriginal: PosterError { .storageFailed(reason: "a stored original could not be read") }
}

/// Why a film source could not locate a poster.
public enum PosterSourceFailure: Hashable, Sendable {
    /// It is not configured; `option` of the service would do that, empty when none does.
    case off(option: String)
    /// It, or our budget for it, has no room before so many seconds have passed.
    case busy(retryAfter: Int)
    case tooSlow
    case unavailable
}

extension PosterError: CustomStringConvertible {
    /// A clause for people: what is wrong, with the names and numbers that are known.
    public var description: String {
        switch self {
        case .unknownSource(let name, let known):
            "no source '\(name)' is configured; there are: \(known.joined(separator: ", "))"
        case .sourceFailed(let name, .off(let option)):
            "\(name) is not configured" + (option.isEmpty ? "" : "; \(option) switches it on")
        case .sourceFailed(let name, .busy(let seconds)):
            "\(name) is not asked again before \(seconds) seconds have passed"
        case .sourceFailed(let name, .tooSlow): "\(name) took too long to answer"
        case .sourceFailed(let name, .unavailable): "\(name) cannot be asked"
        case .unknownPoster(let id): "there is no poster '\(id.loggedText)'"
        case .unacceptableKey(let id, let reason): "the id '\(id.loggedText)' cannot be used: \(reason)"
        case .tooLarge(let reason): "the picture would be \(reason)"
        case .unsupportedImage(let reason), .overLimit(let reason): "the original is \(reason)"
        case .badOriginal(let reason): "the origin did not send a usable image: \(reason)"
        case .originRefused(let reason), .originUnavailable(let reason, _), .originTooSlow(let reason),
            .storageFailed(let reason):
            reason
        case .originSuspended: "the origin has failed repeatedly and is left alone for a while"
        case .originBusy: "the origin wants to be asked less often"
        case .unrenderable: "the poster could not be rendered; the log has the cause"
        case .overloaded: "too much is under way; try again"
        case .cutOff: "this node does not know yet what others have purged; try again"
        }
    }

    /// The error of a codec. `CodecError.stopped` is a cancellation, which the caller handles first.
    package init(_ error: CodecError) {
        switch error {
        case .notAnImage, .truncated, .damaged, .decoderEnded, .overLimit(.bytes, _, _):
            self = .badOriginal(reason: "what it sent is \(error)")
        case .unsupported: self = .unsupportedImage(reason: error.description)
        case .overLimit: self = .overLimit(reason: error.description)
        case .sideTooLong, .tooManyPixels: self = .tooLarge(reason: error.description)
        case .unencodable, .internalError: self = .unrenderable
        case .stopped, .outOfMemory: self = .overloaded(retryAfter: 1)
        }
    }
}

/// Caches failures by key, so that each is not tried again for a while (the term of RFC 2308).
typealias NegativeCache<Key: Hashable & Sendable> = BoundedCache<Key, PosterError>
