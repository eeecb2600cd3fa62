import HTTPSemantics
import PosterCodec
import PosterPipeline

/// All that an `<img>` needs of a poster, ready to be put into its attributes. Knows no framework.
package struct Srcset: Encodable {
    /// The widths of ``srcset`` when nobody asks for others, in pixels.
    package static let defaultWidths = [92, 154, 185, 342, 500, 780]
    /// The most widths that can be asked for.
    static let widthLimit = 16
    /// ``src`` is the largest that is at most so wide, in pixels: for browsers that know no `srcset`.
    private static let plainWidth = 500

    let id: String
    let src: String
    let srcset: String
    /// As wide as the page, but no wider than the poster.
    let sizes: String
    /// Of the original as shown, in pixels: what `width` and `height` reserve the right space by.
    let width, height: Int
    /// The original's dominant colour, as `#rrggbb`.
    let color: String
    let thumbhash: String
    let blurhash: String
    /// A tiny picture to show first.
    let placeholder: String
    /// What the original's digest begins with; in all of these URLs.
    let version: String

    /// - Parameters:
    ///   - widths: At least one; those above the original's are left out, but for one.
    ///   - format: nil lets `Accept` decide.
    init(of description: PosterDescription, widths: [Int], format: OutputFormat?, links: PosterURLBuilder)
        throws(Problem)
    {
        let version = PosterURLBuilder.version(of: description.digest)
        let (width, height) = description.header.uprightSize
        let ascending = Set(widths).sorted()
        var chosen = ascending.filter { $0 <= width }
        // The one that is there is told as wide as it will be: nothing is enlarged.
        if chosen.isEmpty { chosen = [ascending[0]] }
        let link = { (asked: Int) throws(Problem) in
            try links.variant(of: description.id, width: asked, format: format, version: version)
        }
        let largest = min(chosen.last!, width)
        self.id = description.id.description
        self.src = try link(chosen.last { $0 <= Self.plainWidth } ?? chosen[0])
        self.srcset = try chosen.map { asked throws(Problem) in "\(try link(asked)) \(min(asked, width))w" }.joined(
            separator: ", ")
        self.sizes = "(max-width: \(largest)px) 100vw, \(largest)px"
        (self.width, self.height) = (width, height)
        self.color = description.hashes.dominantColour
        self.thumbhash = description.hashes.thumbHash
        self.blurhash = description.hashes.blurHash
        self.placeholder = try links.placeholder(of: description.id, version: version)
        self.version = version
    }
}
