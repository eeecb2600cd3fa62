package import HTTPSemantics
package import MovieDomain
package import PosterPipeline

/// A film's poster in lists: URLs, and what a placeholder needs.
package struct PosterObject: Encodable, Hashable, Sendable {
    /// For clients without `srcset`.
    let url: String
    /// URLs and their widths, for the attribute of this name.
    let srcset: String
    /// Of the original as shown, in pixels; nil when not known.
    var width, height: Int?
    /// The dominant colour, as `#rrggbb`; nil when not known.
    var color: String?
    /// In Base64; nil when not known.
    var thumbhash: String?
}

/// Returns what is known of posters without I/O.
package protocol PosterLookup: Sendable {
    /// Nothing is fetched, opened or waited for.
    ///
    /// - Parameters:
    ///   - id: A film's, or an app's.
    ///   - reference: What its source says the poster is; nil when it does not say.
    /// - Returns: nil when it is known that there is none.
    /// - Throws: ``Problem``, when its URLs cannot be signed.
    func poster(of id: PosterID, reference: PosterReference?) throws(Problem) -> PosterObject?
}

extension PosterID {
    /// A film's poster.
    init?(_ id: MovieID) {
        try? self.init(source: id.source.rawValue, key: id.key)
    }

    /// An app's icon.
    init?(_ id: StoreAppID) {
        try? self.init(source: id.source.rawValue, key: id.key)
    }
}
