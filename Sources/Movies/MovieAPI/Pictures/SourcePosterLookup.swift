import HTTPSemantics
import MovieDomain
import PosterAPI
import PosterPipeline

/// Poster objects from what the sources state alone.
struct SourcePosterLookup: PosterLookup {
    /// ``PosterObject/url`` is the largest that is at most so wide, in pixels.
    private static let plainWidth = 500
    /// The largest width in ``PosterObject/srcset``, in pixels: less fills a screen of ratio 3.
    private static let widestWidth = 2000

    let policies: ReloadablePicturePolicy
    let links: PosterURLBuilder

    func poster(of id: PosterID, reference: PosterReference?) throws(Problem) -> PosterObject? {
        try self.poster(of: id, size: reference?.size, version: nil)
    }

    /// - Parameters:
    ///   - size: Of the original as shown; nil when unknown.
    ///   - version: What its digest begins with; nil when unknown.
    func poster(of id: PosterID, size: PictureSize?, version: String?) throws(Problem) -> PosterObject {
        let policy = self.policies.policy
        let links = self.links.signed(with: policy.requiresSignatures ? policy.signingKeys : nil, until: nil)
            .withClientHints(policy.usesHints)
        let widths = Self.widths(of: size, ladder: policy.ladder)
        let link = { (width: Int) throws(Problem) in
            try links.variant(of: id, width: width, format: nil, version: version)
        }
        let candidates = try widths.map { width throws(Problem) in
            "\(try link(width)) \(min(width, size?.width ?? width))w"
        }
        return PosterObject(
            url: try link(widths.last { $0 <= Self.plainWidth } ?? widths.first ?? Self.plainWidth),
            srcset: candidates.joined(separator: ", "), width: size?.width, height: size?.height)
    }

    /// Those to ask for, ascending, at least one: those that enlarge nothing, and what gives the original's own.
    ///
    /// - Parameters:
    ///   - size: Of the original as shown; nil when unknown.
    ///   - ladder: The only widths that there are; nil for all.
    static func widths(of size: PictureSize?, ladder: WidthLadder?) -> [Int] {
        let rungs = ladder?.rungs ?? Srcset.defaultWidths
        guard let own = size?.width else { return rungs }
        let widths = rungs.filter { $0 <= own }
        guard widths.last != own else { return widths }
        // Nothing is enlarged: asked for the next rung, one gets the original's own width.
        guard ladder == nil, !widths.isEmpty else { return widths + rungs.filter { $0 > own }.prefix(1) }
        let widest = min(own, Self.widestWidth)
        return widest > widths[widths.count - 1] ? widths + [widest] : widths
    }
}
