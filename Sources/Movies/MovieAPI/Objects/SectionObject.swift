import HTTPSemantics
import HTTPServer
import MovieDomain

/// A section of a film's or app's details, distinguished by `type`.
struct SectionObject: Encodable, Sendable {
    /// All values of `type`, in the order of sections.
    static let types = [
        "top", "summary", "gallery", "videos", "description", "releaseNotes", "cast", "information", "reviews",
    ]

    private enum CodingKeys: String, CodingKey {
        case type, title, subtitle, category, price, items, pictures, videos, text, version, notes, members, reviews
    }

    /// A fact with a name.
    private struct InformationObject: Encodable {
        let name, label, value: String

        init(_ item: InformationItem, in language: LanguagePreference) {
            self.name = item.name.rawValue
            self.label = item.name.label(in: language)
            self.value = item.value
        }
    }

    private let section: DetailSection
    private let language: LanguagePreference
    private var pictures: [PictureObject] = []
    private var videos: [VideoObject] = []
    private var members: [CastObject] = []

    /// - Parameters:
    ///   - id: The film or app of the section.
    ///   - language: The language of labels.
    /// - Throws: ``Problem`` if the pictures' URLs cannot be signed.
    init(
        _ section: DetailSection, of id: PictureID, in language: LanguagePreference, _ urls: any PictureURLs
    ) throws(Problem) {
        self.section = section
        self.language = language
        switch section {
        case .gallery(let pictures): self.pictures = try PictureObject.gallery(pictures, of: id, urls)
        case .videos(let videos):
            self.videos = try videos.map { video throws(Problem) in try VideoObject(video, urls) }
        case .cast(let members):
            self.members = try members.map { member throws(Problem) in try CastObject(member, urls) }
        default: break
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let type: String
        switch self.section {
        case .top(let top):
            type = "top"
            try container.encode(top.title, forKey: .title)
            try container.encode(top.subtitle, forKey: .subtitle)
            try container.encode(top.category, forKey: .category)
            try container.encodeIfPresent(top.price, forKey: .price)
        case .summary(let items):
            type = "summary"
            try container.encode(items.map(SummaryObject.init), forKey: .items)
        case .gallery:
            type = "gallery"
            try container.encode(self.pictures, forKey: .pictures)
        case .videos:
            type = "videos"
            try container.encode(self.videos, forKey: .videos)
        case .description(let text):
            type = "description"
            try container.encode(text, forKey: .text)
        case .releaseNotes(let version, let notes):
            type = "releaseNotes"
            try container.encode(version, forKey: .version)
            try container.encode(notes, forKey: .notes)
        case .cast:
            type = "cast"
            try container.encode(self.members, forKey: .members)
        case .information(let items):
            type = "information"
            try container.encode(
                items.map { InformationObject($0, in: self.language) }, forKey: .items)
        case .reviews(let reviews):
            type = "reviews"
            try container.encode(reviews.map(ReviewObject.init), forKey: .reviews)
        }
        try container.encode(type, forKey: .type)
    }
}
