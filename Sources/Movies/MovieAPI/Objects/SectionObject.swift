import HTTPSemantics
import MovieDomain
import PosterPipeline

/// A part of what is shown of a film or an app: `type` says which.
struct SectionObject: Encodable, Sendable {
    /// Every `type`, in the order of sections.
    static let types = [
        "top", "summary", "gallery", "description", "releaseNotes", "cast", "information", "reviews",
    ]

    private enum CodingKeys: String, CodingKey {
        case type, title, subtitle, category, price, items, pictures, text, version, notes, members, reviews
    }

    private let section: DetailSection
    private let pictures: [PictureObject]
    private let members: [CastObject]

    /// - Parameters:
    ///   - id: The film or app of the section.
    ///   - addresses: Where its pictures are.
    /// - Throws: ``Problem``, when their URLs cannot be signed.
    init(_ section: DetailSection, of id: PosterID, addresses: PictureAddresses) throws(Problem) {
        self.section = section
        switch section {
        case .gallery(let pictures):
            self.pictures = try pictures.enumerated().map { place, picture throws(Problem) in
                PictureObject(picture, url: try addresses.galleryPicture(picture, at: place + 1, of: id))
            }
            self.members = []
        case .cast(let members):
            self.pictures = []
            self.members = try members.map { member throws(Problem) in
                CastObject(member, portrait: try addresses.portrait(member.portrait))
            }
        case .top, .summary, .description, .releaseNotes, .information, .reviews:
            self.pictures = []
            self.members = []
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.type, forKey: .type)
        switch self.section {
        case .top(let top):
            try container.encode(top.title, forKey: .title)
            try container.encode(top.subtitle, forKey: .subtitle)
            try container.encode(top.category, forKey: .category)
            try container.encodeIfPresent(top.price, forKey: .price)
        case .summary(let items): try container.encode(items.map(SummaryObject.init), forKey: .items)
        case .gallery: try container.encode(self.pictures, forKey: .pictures)
        case .description(let text): try container.encode(text, forKey: .text)
        case .releaseNotes(let version, let notes):
            try container.encode(version, forKey: .version)
            try container.encode(notes, forKey: .notes)
        case .cast: try container.encode(self.members, forKey: .members)
        case .information(let items): try container.encode(items.map(InformationObject.init), forKey: .items)
        case .reviews(let reviews): try container.encode(reviews.map(ReviewObject.init), forKey: .reviews)
        }
    }

    private var type: String {
        switch self.section {
        case .top: "top"
        case .summary: "summary"
        case .gallery: "gallery"
        case .description: "description"
        case .releaseNotes: "releaseNotes"
        case .cast: "cast"
        case .information: "information"
        case .reviews: "reviews"
        }
    }
}
