import HTTPSemantics
import HTTPServer
import PosterCodec
import PosterPipeline

/// The attributes of an `<img>` with a poster, as JSON.
package struct Srcset: Encodable {
    package static let defaultWidths = PictureWidths.standard.pixels
    static let widthLimit = 16
    /// The maximum width of ``src``, in pixels, for browsers without `srcset`.
    private static let plainWidth = 500

    let id: String
    let src: String
    let srcset: String
    /// As wide as the page, at most as wide as the poster.
    let sizes: String
    /// Size of the upright original in pixels, for the attributes `width` and `height`.
    let width, height: Int
    /// The original's dominant colour, as `#rrggbb`.
    let color: String
    let thumbhash: String
    let blurhash: String
    /// The URL of a tiny picture to show first.
    let placeholder: String
    /// The first digits of the original's digest, part of all these URLs.
    let version: String

    /// - Parameters:
    ///   - id: The poster's id in the request.
    ///   - selection: The selected poster.
    ///   - widths: At least one; widths above the original's are omitted, unless all are above it.
    ///   - format: `nil` leaves the choice to `Accept`.
    init(
        of description: PosterDescription, id: PosterID, _ selection: PosterSelection, widths: [Int],
        format: OutputFormat?, links: PosterURLBuilder
    ) throws(Problem) {
        let version = PosterURLBuilder.version(of: description.digest)
        let (width, height) = description.header.uprightSize
        let ascending = Set(widths).sorted()
        var chosen = ascending.filter { $0 <= width }
        // Its descriptor is the original's width, since nothing is enlarged.
        if chosen.isEmpty { chosen = [ascending[0]] }
        let link = { (asked: Int) throws(Problem) in
            try links.variant(of: id, selection, width: asked, format: format, version: version)
        }
        let largest = min(chosen.last!, width)
        self.id = id.shortText
        self.src = try link(chosen.last { $0 <= Self.plainWidth } ?? chosen[0])
        self.srcset = try chosen.map { asked throws(Problem) in "\(try link(asked)) \(min(asked, width))w" }.joined(
            separator: ", ")
        self.sizes = "(max-width: \(largest)px) 100vw, \(largest)px"
        (self.width, self.height) = (width, height)
        self.color = description.hashes.dominantColour
        self.thumbhash = description.hashes.thumbHash
        self.blurhash = description.hashes.blurHash
        self.placeholder = try links.placeholder(of: id, selection, version: version)
        self.version = version
    }
}
