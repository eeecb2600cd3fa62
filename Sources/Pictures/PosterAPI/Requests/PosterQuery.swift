import HTTPSemantics
import PosterCodec
public import PosterPipeline

/// What a request asks for, whichever language its URL is written in. Free of any framework.
package struct PosterQuery: Hashable, Sendable {
    /// The sides that may be asked for, in pixels, before and after a device's ratio is applied.
    package static let sides = 16...CodecLimits.maxTargetSide

    /// The id, and what is wanted of it.
    let request: PosterRequest
    /// What the answer depends on beside the URL.
    var vary: VaryFields = []
    /// Whether clients may say more of their screens than they did.
    var offersHints = false
    /// The original that the URL belongs to: the first 8 to 64 digits of its digest, in lower case; nil for any.
    var version: String?
    /// When the right to have this ends, in seconds since 1970; nil for never.
    var expires: Int64?

    /// Whether `Accept` decided the format.
    var isNegotiated: Bool { self.vary.contains(.accept) }

    /// The poster that a client may name.
    ///
    /// - Parameter segment: Of a path, still percent-encoded: it is decoded here, once.
    /// - Throws: ``Problem``.
    static func posterID(_ segment: Substring) throws(Problem) -> PosterID {
        let id = try self.namedID(segment)
        // What may be had of these is decided where their own URLs are read.
        guard !PosterID.webSources.contains(id.source) else {
            throw Problem(
                .unknownPoster,
                "no source '\(id.source)' is configured; TMDB's images are at /t/p, other URLs at /proxy")
        }
        return id
    }

    /// The poster that whoever runs the service may name.
    ///
    /// - Parameter segment: As in ``posterID(_:)``.
    /// - Throws: ``Problem``.
    static func anyPosterID(_ segment: Substring) throws(Problem) -> PosterID {
        let id = try self.namedID(segment)
        do throws(PosterID.Malformed) {
            return try id.normal()
        } catch {
            throw self.malformed(error)
        }
    }

    private static func namedID(_ segment: Substring) throws(Problem) -> PosterID {
        guard let text = PercentEncoding.decode(segment) else {
            throw Problem(.invalidID, "the id holds malformed percent-encoding; a '/' in a key is written %2F")
        }
        do throws(PosterID.Malformed) {
            return try PosterID(text)
        } catch {
            throw self.malformed(error)
        }
    }

    private static func malformed(_ error: PosterID.Malformed) -> Problem {
        Problem(.invalidID, "the id is not [source:]key: \(error.reason)")
    }
}

/// The header fields that an answer depends on, or could have (RFC 9110, 12.5.5).
struct VaryFields: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let accept = VaryFields(rawValue: 1)
    static let ratio = VaryFields(rawValue: 2)
    static let width = VaryFields(rawValue: 4)
    static let saveData = VaryFields(rawValue: 8)

    /// Whether a hint could have changed the answer.
    var hasHints: Bool { !self.isDisjoint(with: [.ratio, .width, .saveData]) }

    /// The value of `Vary`; nil when nothing mattered.
    var fieldValue: String? { Self.values[Int(self.rawValue)] }

    /// Of every combination, since answers are many and these are few.
    private static let values: [String?] = (0..<16).map { (bits: UInt8) in
        let names = ["Accept", "Sec-CH-DPR", "Sec-CH-Width", "Save-Data"].enumerated()
            .compactMap { bits & (1 << $0) != 0 ? $1 : nil }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}

extension PosterID {
    /// As pictures are kept: a URL in its normal form, whichever spelling of it this is.
    ///
    /// - Throws: ``PosterPipeline/PosterID/Malformed``, when it is a URL that no picture can have.
    public func normal() throws(Malformed) -> PosterID {
        guard self.source == Self.urlSource else { return self }
        let url: RemoteURL
        do throws(RemoteURL.Malformed) {
            url = try RemoteURL(self.key)
        } catch {
            throw Malformed(reason: "the URL \(error.reason)")
        }
        return try PosterID(source: Self.urlSource, key: url.text)
    }
}
