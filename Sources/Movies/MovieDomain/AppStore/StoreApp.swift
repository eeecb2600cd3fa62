/// An app of an app store.
package struct StoreApp: Hashable, Sendable {
    /// Unique across stores.
    package var id: StoreAppID
    /// Never empty.
    package var name: String
    /// A square picture.
    package var icon: PosterReference?
    /// Such as `Utilities`; empty when unknown.
    package var category: String
    /// The price in ``currency``; `nil` if unknown.
    package var price: Double?
    /// The price for display; empty when the app is free or the price is unknown.
    package var formattedPrice: String
    /// ISO 4217; empty when unknown.
    package var currency: String
    /// 0 to 5; `nil` if there are no ratings.
    package var averageRating: Double?
    package var ratingCount: Int
    /// In the store's order.
    package var screenshots: [GalleryPicture]
    /// The age rating, such as `4+`; empty when unknown.
    package var contentRating: String
    /// The languages of the app's user interface.
    package var languages: [Language]
    package var byteCount: Int64?
    /// The developer's description; may be empty.
    package var description: String
    /// The changes of this version; may be empty.
    package var releaseNotes: String
    /// The developer's version number; may be empty.
    package var version: String
    /// The release day of this version.
    package var releaseDate: CalendarDate?
    package var seller: String
    package var developer: String
    /// Empty when unknown.
    package var minimumOSVersion: String
    /// The app's page in the store.
    package var url: String?

    /// - Returns: `nil` if the name is empty.
    package init?(
        id: StoreAppID, name: String, icon: PosterReference? = nil, category: String = "", price: Double? = nil,
        formattedPrice: String = "", currency: String = "", averageRating: Double? = nil, ratingCount: Int = 0,
        screenshots: [GalleryPicture] = [], contentRating: String = "", languages: [Language] = [],
        byteCount: Int64? = nil, description: String = "", releaseNotes: String = "", version: String = "",
        releaseDate: CalendarDate? = nil, seller: String = "", developer: String = "", minimumOSVersion: String = "",
        url: String? = nil
    ) {
        guard !name.isEmpty else { return nil }
        self.id = id
        self.name = name
        self.icon = icon
        self.category = category
        self.price = price
        self.formattedPrice = formattedPrice
        self.currency = currency
        self.averageRating = averageRating.flatMap { (0...5).contains($0) && ratingCount > 0 ? $0 : nil }
        self.ratingCount = max(0, ratingCount)
        self.screenshots = screenshots
        self.contentRating = contentRating
        self.languages = languages
        self.byteCount = byteCount.flatMap { $0 > 0 ? $0 : nil }
        self.description = description
        self.releaseNotes = releaseNotes
        self.version = version
        self.releaseDate = releaseDate
        self.seller = seller
        self.developer = developer
        self.minimumOSVersion = minimumOSVersion
        self.url = url
    }
}

/// The id of an app, written as `itunes:361309726`; a key without a source is an id of the embedded store.
package struct StoreAppID: Hashable, Sendable, LosslessStringConvertible {
    /// ``MovieSource/itunes`` or ``MovieSource/embedded``.
    package let source: MovieSource
    /// iTunes: digits; embedded store: lower-case letters, digits and hyphens.
    package let key: String

    /// - Returns: `nil` if the source has no apps, or the key is invalid there.
    package init?(source: MovieSource, key: String) {
        guard [.itunes, .embedded].contains(source), let id = MovieID(source: source, key: key) else { return nil }
        (self.source, self.key) = (id.source, id.key)
    }

    /// Reads `source:key` or `key`.
    package init?(_ description: String) {
        guard let id = MovieID(description) else { return nil }
        self.init(source: id.source, key: id.key)
    }

    package var description: String { self.source == .embedded ? self.key : "\(self.source.rawValue):\(self.key)" }
}
