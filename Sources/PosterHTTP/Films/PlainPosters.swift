import MovieDomain
import PosterPipeline

/// Tells of posters where they are, and what their sources say of them.
struct PlainPosters: PosterKnowledge {
    /// ``PosterObject/url`` is the largest that is at most so wide, in pixels.
    private static let plainWidth = 500

    let policies: PicturePolicies
    let links: PosterLinks

    func poster(of id: PosterID, reference: PosterReference?) throws(Problem) -> PosterObject? {
        try self.poster(of: id, size: reference?.size, version: nil)
    }

    /// - Parameters:
    ///   - size: Of the original as shown; nil when unknown.
    ///   - version: What its digest begins with; nil when unknown.
    func poster(of id: PosterID, size: PictureSize?, version: String?) throws(Problem) -> PosterObject {
        let policy = self.policies.policy
        let links = self.links.signed(with: policy.requiresSignatures ? policy.signingKeys : nil, until: nil)
            .heeding(hints: policy.usesHints)
        let ladder = (policy.ladder?.rungs ?? Srcset.defaultWidths).sorted()
        var widths = ladder.filter { $0 <= size?.width ?? .max }
        // Nothing is enlarged: the one that is there is told as wide as it will be.
        if widths.isEmpty { widths = Array(ladder.prefix(1)) }
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
}
