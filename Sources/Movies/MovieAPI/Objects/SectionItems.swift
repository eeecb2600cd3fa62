import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// A picture of a gallery: the members of a poster, and its kind.
struct PictureObject: Encodable, Hashable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case kind
    }

    /// Of ``PosterObject/url``, in pixels, at most.
    private static let width = 780
    /// In `srcset`, in pixels: less fills a screen of ratio 3.
    private static let widest = 2000

    private let kind: String
    private let picture: PosterObject

    /// - Parameter id: Of the picture, where it is not TMDB's or TMDB's paths are not served; nil when it has none.
    /// - Returns: nil when this server has no URL of it.
    init?(_ picture: GalleryPicture, id: PictureID?, _ urls: any PictureURLs) throws(Problem) {
        let object = try urls.picture(
            at: picture.location, size: picture.size, width: Self.width, widest: Self.widest)
        if let object {
            self.picture = object
        } else if let id {
            self.picture = try urls.picture(
                id, size: picture.size.map { ($0.width, $0.height) }, width: Self.width)
        } else {
            return nil
        }
        self.kind = picture.kind.rawValue
    }

    func encode(to encoder: any Encoder) throws {
        try self.picture.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.kind, forKey: .kind)
    }

    /// - Parameter id: The film or app that has the gallery.
    static func gallery(
        _ pictures: [GalleryPicture], of id: PictureID, _ urls: any PictureURLs
    ) throws(Problem) -> [PictureObject] {
        let objects = try pictures.enumerated().map { place, picture throws(Problem) in
            try PictureObject(picture, id: id.inGallery(at: place + 1), urls)
        }
        return objects.compactMap(\.self)
    }
}

/// A role and its actor.
struct CastObject: Encodable, Hashable, Sendable {
    /// Of the `url` of a portrait, in pixels, at most.
    private static let width = 185
    /// In its `srcset`, in pixels.
    private static let widest = 500

    /// nil where the source has no pages of people.
    let id: String?
    let name: String
    /// Empty when unknown, or the same.
    let originalName: String
    /// Empty when the part has no name.
    let role: String
    /// nil when this server has none.
    let portrait: PosterObject?

    init(_ member: Credits.CastMember, _ urls: any PictureURLs) throws(Problem) {
        self.id = member.id?.description
        self.name = member.name
        self.originalName = member.originalName
        self.role = member.role
        self.portrait = try urls.picture(at: member.portrait, width: Self.width, widest: Self.widest)
    }
}

/// A fact in three lines.
struct SummaryObject: Encodable, Hashable, Sendable {
    let kind, topLabel, middleLabel, bottomLabel: String

    init(_ item: SummaryItem) {
        self.kind = item.kind.rawValue
        self.topLabel = item.topLabel
        self.middleLabel = item.middleLabel
        self.bottomLabel = item.bottomLabel
    }
}

/// A review of a film.
struct ReviewObject: Encodable, Hashable, Sendable {
    let id: String
    let author: String
    /// From 0 to 10; nil without one.
    let score: Double?
    /// The beginning of ``content``.
    let preview: String
    let content: String
    /// Whether there is more of it than the preview.
    let isTruncated: Bool
    /// RFC 3339; nil when unknown.
    let createdAt: String?
    /// A page that shows it; nil without one.
    let url: String?

    init(_ review: Review) {
        self.id = review.id
        self.author = review.author
        self.score = review.score
        self.preview = review.preview
        self.content = review.content
        self.isTruncated = review.isTruncated
        self.createdAt = review.createdAt?.description
        self.url = review.url
    }
}
