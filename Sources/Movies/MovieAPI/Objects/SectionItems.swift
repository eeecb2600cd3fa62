import HTTPSemantics
import HTTPServer
import MovieDomain

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

    /// - Parameters:
    ///   - place: In the gallery, from 1.
    ///   - id: The film or app that has the gallery.
    private init(_ picture: GalleryPicture, at place: Int, of id: PictureID, _ urls: any PictureURLs) throws(Problem) {
        let size = picture.size.map { (width: $0.width, height: $0.height) }
        var object: PosterObject?
        if case .tmdb(let file) = picture.location {
            object = try urls.tmdbImage(file, size: size, width: Self.width, widest: Self.widest)
        }
        self.kind = picture.kind.rawValue
        self.picture =
            if let object {
                object
            } else {
                try urls.picture(id.inGallery(at: place), size: size, width: Self.width)
            }
    }

    func encode(to encoder: any Encoder) throws {
        try self.picture.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.kind, forKey: .kind)
    }

    static func gallery(
        _ pictures: [GalleryPicture], of id: PictureID, _ urls: any PictureURLs
    ) throws(Problem) -> [PictureObject] {
        try pictures.enumerated().map { place, picture throws(Problem) in
            try PictureObject(picture, at: place + 1, of: id, urls)
        }
    }
}

/// A role and its actor.
struct CastObject: Encodable, Hashable, Sendable {
    /// Of the `url` of a portrait, in pixels, at most.
    private static let width = 185
    /// In its `srcset`, in pixels.
    private static let widest = 500

    let name: String
    /// Empty when unknown, or the same.
    let originalName: String
    /// Empty when the part has no name.
    let role: String
    /// nil when this server has none.
    let portrait: PosterObject?

    init(_ member: Credits.CastMember, _ urls: any PictureURLs) throws(Problem) {
        self.name = member.name
        self.originalName = member.originalName
        self.role = member.role
        guard case .tmdb(let file)? = member.portrait else {
            self.portrait = nil
            return
        }
        self.portrait = try urls.tmdbImage(file, size: nil, width: Self.width, widest: Self.widest)
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
