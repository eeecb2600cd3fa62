import HTTPSemantics
import MovieDomain
import PosterPipeline

/// An app as JSON. What is not known is not there; but `icon` is null when there is none.
struct AppObject: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case id, source, name, icon, category, price, priceLabel, currency, averageRating, ratingCount
        case ratingCountLabel, screenshots, contentRating, languages, byteCount, version, releaseDate, seller, developer
        case minimumOSVersion, url, description, releaseNotes, sections
    }

    /// Members of a single app's object, absent in lists.
    struct Details: Sendable {
        let sections: [SectionObject]
    }

    private let app: StoreApp
    private let icon: PosterObject?
    private let screenshots: [PictureObject]
    private let details: Details?

    /// - Parameters:
    ///   - sections: nil in lists.
    ///   - responses: Builds URLs of pictures.
    /// - Throws: ``Problem``, when their URLs cannot be signed.
    init(_ app: StoreApp, sections: [DetailSection]? = nil, responses: MovieResponses) throws(Problem) {
        guard let id = PosterID(app.id) else {
            throw Problem(.invalidID, "the id \(app.id) is none that a picture can have")
        }
        let addresses = responses.pictures
        self.app = app
        self.icon = app.icon == nil ? nil : try responses.posters.poster(of: id, reference: app.icon)
        self.screenshots = try app.screenshots.enumerated().map { place, picture throws(Problem) in
            PictureObject(picture, url: try addresses.galleryPicture(picture, at: place + 1, of: id))
        }
        guard let sections else {
            self.details = nil
            return
        }
        self.details = Details(
            sections: try sections.map { section throws(Problem) in
                try SectionObject(section, of: id, addresses: addresses)
            })
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
        try container.encode(app.priceLabel, forKey: .priceLabel)
        try container.encode(app.currency, forKey: .currency)
        try container.encodeIfPresent(app.averageRating, forKey: .averageRating)
        try container.encode(app.ratingCount, forKey: .ratingCount)
        try container.encode(AbbreviatedCount(app.ratingCount).description, forKey: .ratingCountLabel)
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
        guard let details else { return }
        try container.encode(app.description, forKey: .description)
        try container.encode(app.releaseNotes, forKey: .releaseNotes)
        try container.encode(details.sections, forKey: .sections)
    }
}
