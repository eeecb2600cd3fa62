import BoundedCache
package import PosterCodec

/// Why no poster is available, in the client's terms. Causes are logged where they occur.
public enum PosterError: Error, Hashable, Sendable {
    /// No source of that name is configured; `known` lists the configured ones.
    case unknownSource(String, known: [String])
    /// The source could not locate the poster.
    case sourceFailed(name: String, PosterSourceFailure)
    /// The source does not know the key, or has no poster for it.
    case unknownPoster(PosterID)
    /// The source does not accept the key.
    case unacceptableKey(PosterID, reason: String)
    /// The requested picture exceeds the limit; `reason` contains its size.
    case tooLarge(reason: String)
    /// A kind of picture that is not decoded; `reason` names it.
    case unsupportedImage(reason: String)
    /// The picture exceeds a limit; `reason` contains the limit's name, its value and the picture's.
    case overLimit(reason: String)
    /// The origin sent something other than a complete picture.
    case badOriginal(reason: String)
    /// The origin refused with 401, 403 or 451.
    case originRefused(reason: String)
    /// The origin could not be reached, or sent no usable response. `retryAfter` is in seconds; `nil` if it is unknown.
    case originUnavailable(reason: String, retryAfter: Int? = nil)
    /// The origin has failed so often that this node sends it no requests for `retryAfter` seconds.
    case originSuspended(retryAfter: Int)
    /// The origin limits the request rate; `retryAfter` is in seconds.
    case originBusy(retryAfter: Int)
    case originTooSlow(reason: String)
    /// The original is valid, but the variant could not be rendered.
    case unrenderable
    /// The service is overloaded. `retryAfter` is in seconds, estimated from the queue.
    case overloaded(retryAfter: Int)
    /// This node may lack purges and replacements of other nodes. `retryAfter` is in seconds.
    case cutOff(retryAfter: Int)
    /// The data directory cannot be written or read.
    case storageFailed(reason: String)

    /// A stored original could not be read, twice.
    static var unreadableOriginal: PosterError { .storageFailed(reason: "a stored original could not be read") }
}

/// Why a film source could not locate a poster.
public enum PosterSourceFailure: Hashable, Sendable {
    /// The source is not configured; `option` is the service's option that enables it, empty if there is none.
    case off(option: String)
    /// The source, or the node's request budget for it, has no capacity for `retryAfter` seconds.
    case busy(retryAfter: Int)
    case tooSlow
    case unavailable
}

extension PosterError: CustomStringConvertible {
    /// A clause that describes the error, with the names and numbers that are known.
    public var description: String {
        switch self {
        case .unknownSource(let name, let known):
            "no source '\(name)' is configured; configured sources: \(known.joined(separator: ", "))"
        case .sourceFailed(let name, .off(let option)):
            "\(name) is not configured" + (option.isEmpty ? "" : "; \(option) switches it on")
        case .sourceFailed(let name, .busy(let seconds)):
            "requests to \(name) are paused for \(seconds) seconds"
        case .sourceFailed(let name, .tooSlow): "\(name) did not respond in time"
        case .sourceFailed(let name, .unavailable): "\(name) cannot be reached, or responds with an error"
        case .unknownPoster(let id): "there is no poster '\(id.loggedText)'"
        case .unacceptableKey(let id, let reason): "the id '\(id.loggedText)' cannot be used: \(reason)"
        case .tooLarge(let reason): "the picture would be \(reason)"
        case .unsupportedImage(let reason), .overLimit(let reason): "the original is \(reason)"
        case .badOriginal(let reason): "the origin did not send a usable image: \(reason)"
        case .originRefused(let reason), .originUnavailable(let reason, _), .originTooSlow(let reason),
            .storageFailed(let reason):
            reason
        case .originSuspended: "the origin has failed repeatedly; requests to it are suspended"
        case .originBusy: "the origin limits the rate of requests; try again later"
        case .unrenderable: "the poster could not be rendered; the log has the cause"
        case .overloaded: "the server is overloaded; try again"
        case .cutOff: "this node may lack purges of other nodes; try again"
        }
    }

    /// Maps a codec's error. The caller handles `CodecError.stopped`, a cancellation, first.
    package init(_ error: CodecError) {
        switch error {
        case .notAnImage, .truncated, .damaged, .decoderEnded, .overLimit(.bytes, _, _):
            self = .badOriginal(reason: "the file is \(error)")
        case .unsupported, .switchedOff: self = .unsupportedImage(reason: error.description)
        case .overLimit: self = .overLimit(reason: error.description)
        case .sideTooLong, .tooManyPixels: self = .tooLarge(reason: error.description)
        case .unencodable, .internalError: self = .unrenderable
        case .stopped, .outOfMemory: self = .overloaded(retryAfter: 1)
        }
    }
}

/// Caches failures by key, so that they are not repeated for a while (RFC 2308's term).
typealias NegativeCache<Key: Hashable & Sendable> = BoundedCache<Key, PosterError>
