import MovieDomain

/// A picture of a gallery.
struct PictureObject: Encodable, Hashable, Sendable {
    let kind: String
    let url: String
    /// Of the original, in pixels; nil when unknown.
    let width, height: Int?

    init(_ picture: GalleryPicture, url: String) {
        self.kind = picture.kind.rawValue
        self.url = url
        self.width = picture.size?.width
        self.height = picture.size?.height
    }
}

/// A role and its actor.
struct CastObject: Encodable, Hashable, Sendable {
    let name: String
    /// Empty when unknown, or the same.
    let originalName: String
    /// Empty when the part has no name.
    let role: String
    /// The URL of a picture; nil when there is none.
    let portrait: String?

    init(_ member: Credits.CastMember, portrait: String?) {
        self.name = member.name
        self.originalName = member.originalName
        self.role = member.role
        self.portrait = portrait
    }
}

/// A fact in three lines.
struct SummaryObject: Encodable, Hashable, Sendable {
    let kind: String
    let topLabel, middleLabel, bottomLabel: String

    init(_ item: SummaryItem) {
        self.kind = item.kind.rawValue
        self.topLabel = item.topLabel
        self.middleLabel = item.middleLabel
        self.bottomLabel = item.bottomLabel
    }
}

/// A fact with a name.
struct InformationObject: Encodable, Hashable, Sendable {
    let name: String
    let value: String

    init(_ item: InformationItem) {
        self.name = item.name
        self.value = item.value
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
