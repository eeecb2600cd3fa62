import FoundationEssentials
package import HTTPSemantics
import PosterCodec
package import PosterPipeline

/// The body of `POST /poster/prefetch`: the variants to render in advance, every width of every poster in every format.
package struct WarmRequest: Hashable, Sendable, Codable {
    package static let idLimit = 1000
    package static let widthLimit = 16
    /// The maximum size of a body, in bytes.
    package static let maxBytes = 1 << 20

    /// `[source:]key`, not percent-encoded.
    package var ids: [String]
    /// Widths in pixels.
    package var widths: [Int]
    /// `jxl`, `avif`, `webp`, `jpeg` or `png`; `nil` means the formats of `--formats` without AVIF, which is encoded
    /// later.
    package var formats: [String]?

    package init(ids: [String], widths: [Int], formats: [String]? = nil) {
        self.ids = ids
        self.widths = widths
        self.formats = formats
    }

    /// Parses `{"ids":["films:heat"],"widths":[368,736]}`.
    ///
    /// - Throws: ``Problem`` of kind ``Problem/Kind/invalidBody``.
    package init(json: [UInt8]) throws(Problem) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        } catch {
            throw Problem(
                .invalidBody,
                "the body must be JSON such as {\"ids\":[\"films:heat\"],\"widths\":[368,736],"
                    + "\"formats\":[\"webp\",\"jpeg\"]}")
        }
    }

    /// The equivalent client requests.
    ///
    /// - Throws: ``Problem`` that names the invalid value.
    package func requests(_ policies: ReloadablePicturePolicy) throws(Problem) -> [PosterRequest] {
        try self.requests(policies.parser)
    }

    func requests(_ parser: PictureRequestParser) throws(Problem) -> [PosterRequest] {
        guard (1...Self.idLimit).contains(self.ids.count) else {
            throw Problem(.invalidBody, "ids must have 1 to \(Self.idLimit) elements")
        }
        guard (1...Self.widthLimit).contains(self.widths.count) else {
            throw Problem(.invalidBody, "widths must have 1 to \(Self.widthLimit) elements")
        }
        let sides = PictureRequest.sides
        guard self.widths.allSatisfy(sides.contains) else {
            throw Problem(
                .invalidBody, "widths must be whole numbers of pixels from \(sides.lowerBound) to \(sides.upperBound)")
        }
        let widths = try self.servedWidths(parser)
        var formats: [OutputFormat] = []
        let served = parser.policy.formats.formats.filter { $0 != .avif }
        for name in self.formats ?? served.map(\.rawValue) {
            guard let format = OutputFormat(rawValue: name) else {
                throw Problem(.invalidBody, "formats must be jxl, avif, webp, jpeg or png")
            }
            if !formats.contains(format) { formats.append(format) }
        }
        var requests: [PosterRequest] = []
        for text in self.ids {
            let id = try Self.id(text, parser)
            for width in widths {
                for format in formats {
                    let quality = format.defaultQuality(byLikeness: parser.policy.usesLikeness)
                    let target = RenderTarget(
                        width: width, format: format, quality: quality, effort: parser.policy.effort)
                    requests.append(PosterRequest(id: id, rendition: .variant(target)))
                }
            }
        }
        return requests
    }

    private func servedWidths(_ parser: PictureRequestParser) throws(Problem) -> [Int] {
        guard let ladder = parser.policy.ladder else { return self.widths }
        var widths: [Int] = []
        for wanted in self.widths {
            let width: Int
            do throws(Problem) {
                width = try ladder.width(for: wanted)
            } catch {
                throw Problem(.invalidBody, error.detail)
            }
            if !widths.contains(width) { widths.append(width) }
        }
        return widths
    }

    /// Remote URLs must be allowed without a signature, since a prefetch has none.
    private static func id(_ text: String, _ parser: PictureRequestParser) throws(Problem) -> PosterID {
        let id: PosterID
        do throws(PosterID.Malformed) {
            id = try PosterID(text)
        } catch {
            throw Problem(.invalidBody, "the id '\(text.prefix(64))' is not [source:]key: \(error.reason)")
        }
        switch id.source {
        case PosterID.urlSource: return try parser.remoteID(id.key, isSigned: false)
        case PosterID.tmdbImageSource:
            try parser.checkTMDBImages()
            return try TMDBImageFile(id.key[...]).id
        default: return id
        }
    }
}
