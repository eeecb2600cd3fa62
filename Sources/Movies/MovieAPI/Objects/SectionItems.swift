import HTTPSemantics
import HTTPServer
import MovieDomain

/// A picture of a gallery.
struct PictureObject: Encodable, Hashable, Sendable {
    /// In pixels.
    private static let width = 780

    let kind: String
    let url: String
    /// Of the original, in pixels; nil when unknown.
    let width, height: Int?

    /// - Parameters:
    ///   - place: In the gallery, from 1.
    ///   - id: The film or app that has the gallery.
    private init(_ picture: GalleryPicture, at place: Int, of id: PictureID, _ urls: any PictureURLs) throws(Problem) {
        var url: String?
        if case .tmdb(let file) = picture.location { url = try urls.tmdbImage(file, width: Self.width) }
        self.kind = picture.kind.rawValue
        self.url = if let url { url } else { try urls.picture(id.inGallery(at: place), width: Self.width) }
        self.width = picture.size?.width
        self.height = picture.size?.height
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
    /// Of a portrait, in pixels.
    private static let width = 185

    let name: String
    /// Empty when unknown, or the same.
    let originalName: String
    /// Empty when the part has no name.
    let role: String
    /// The URL of a picture; nil when this server has none.
    let portrait: String?

    init(_ member: Credits.CastMember, _ urls: any PictureURLs) throws(Problem) {
        self.name = member.name
        self.originalName = member.originalName
        self.role = member.role
        guard case .tmdb(let file)? = member.portrait else {
            self.portrait = nil
            return
        }
        self.portrait = try urls.tmdbImage(file, width: Self.width)
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
