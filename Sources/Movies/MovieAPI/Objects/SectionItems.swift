import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// A picture of a gallery: the members of a poster, and the picture's kind.
struct PictureObject: Encodable, Hashable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case kind
    }

    /// The largest width of ``PosterObject/url``, in pixels.
    private static let width = 780
    /// The largest width in `srcset`, in pixels: enough to fill a screen of pixel ratio 3.
    private static let widest = 2000

    private let kind: String
    private let picture: PosterObject

    /// - Parameter id: The picture's id, used unless this server serves the picture's TMDB path; `nil` if it has none.
    /// - Returns: `nil` if this server has no URL for the picture.
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

    /// - Parameter id: The film or app with the gallery.
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
    /// The largest width of a portrait's `url`, in pixels.
    private static let width = 185
    /// The largest width in its `srcset`, in pixels.
    private static let widest = 500

    /// `nil` if the source has no pages of people.
    let id: String?
    let name: String
    /// Empty if unknown or the same.
    let originalName: String
    /// Empty if the role has no name.
    let role: String
    /// `nil` if this server has none.
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
    /// From 0 to 10.
    let score: Double?
    let preview: String
    let content: String
    let isTruncated: Bool
    /// RFC 3339; `nil` if unknown.
    let createdAt: String?
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
