import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// An app as JSON. Unknown members are absent, except `icon`, which is null if there is none.
struct AppObject: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case id, source, name, icon, category, price, priceLabel, currency, averageRating, ratingCount
        case ratingCountLabel, screenshots, contentRating, languages, byteCount, version, releaseDate, seller, developer
        case minimumOSVersion, url, description, releaseNotes, sections
    }

    private let app: StoreApp
    private let language: LanguagePreference
    private let icon: PosterObject?
    private let screenshots: [PictureObject]
    /// `nil` in lists, which also omit the description.
    private let sections: [SectionObject]?

    /// - Parameters:
    ///   - sections: `nil` in lists.
    ///   - language: The language of labels.
    /// - Throws: ``Problem`` if the pictures' URLs cannot be signed.
    init(
        _ app: StoreApp, sections: [DetailSection]? = nil, in language: LanguagePreference, _ urls: any PictureURLs
    ) throws(Problem) {
        let id = PictureID(app.id)
        self.app = app
        self.language = language
        self.icon = try app.icon.flatMap { icon throws(Problem) in
            try urls.poster(id, size: icon.size.map { ($0.width, $0.height) }, isMissing: false)
        }
        self.screenshots = try PictureObject.gallery(app.screenshots, of: id, urls)
        self.sections = try sections?.map { section throws(Problem) in
            try SectionObject(section, of: id, in: language, urls)
        }
    }

    func encode(to encoder: any Encoder) throws {
        let app = self.app
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(app.id.description, forKey: .id)
        try container.encode(app.id.source.rawValue, forKey: .source)
        try container.encode(app.name, forKey: .name)
        try container.encode(self.icon, forKey: .icon)
        try container.encode(app.category, forKey: .category)
        try container.encodeIfPresent(app.price, forKey: .price)
        try container.encode(app.priceLabel(in: self.language), forKey: .priceLabel)
        try container.encode(app.currency, forKey: .currency)
        try container.encodeIfPresent(app.averageRating, forKey: .averageRating)
        try container.encode(app.ratingCount, forKey: .ratingCount)
        let ratingCount = CompactCount(app.ratingCount, in: self.language)
        try container.encode(ratingCount.description, forKey: .ratingCountLabel)
        try container.encode(self.screenshots, forKey: .screenshots)
        try container.encode(app.contentRating, forKey: .contentRating)
        try container.encode(app.languages.map(\.code), forKey: .languages)
        try container.encodeIfPresent(app.byteCount, forKey: .byteCount)
        try container.encode(app.version, forKey: .version)
        try container.encodeIfPresent(app.releaseDate?.description, forKey: .releaseDate)
        try container.encode(app.seller, forKey: .seller)
        try container.encode(app.developer, forKey: .developer)
        try container.encode(app.minimumOSVersion, forKey: .minimumOSVersion)
        try container.encodeIfPresent(app.url, forKey: .url)
        guard let sections else { return }
        try container.encode(app.description, forKey: .description)
        try container.encode(app.releaseNotes, forKey: .releaseNotes)
        try container.encode(sections, forKey: .sections)
    }
}
