/// An app of a store.
public struct StoreApp: Hashable, Sendable {
    /// Unique in all stores.
    public var id: StoreAppID
    /// Never empty.
    public var name: String
    /// Square; nil without one.
    public var icon: PosterReference?
    /// Such as `Utilities`; empty when unknown.
    public var category: String
    /// In ``currency``; nil when unknown.
    public var price: Double?
    /// For people; `GET` where it costs nothing.
    public var formattedPrice: String
    /// ISO 4217; empty when unknown.
    public var currency: String
    /// From 0 to 5; nil when nobody has rated it.
    public var averageRating: Double?
    /// How many have rated it.
    public var ratingCount: Int
    /// In the store's order.
    public var screenshots: [GalleryPicture]
    /// Such as `4+`; empty when unknown.
    public var contentRating: String
    /// That it speaks.
    public var languages: [Language]
    /// nil when unknown.
    public var byteCount: Int64?
    /// As its maker describes it; may be empty.
    public var description: String
    /// Empty without any.
    public var releaseNotes: String
    /// As its maker counts; may be empty.
    public var version: String
    /// When this version came; nil when unknown.
    public var releaseDate: CalendarDate?
    /// Who sells it.
    public var seller: String
    /// Who made it.
    public var developer: String
    /// Empty when unknown.
    public var minimumOSVersion: String
    /// Its page in the store; nil without one.
    public var url: String?

    /// - Returns: nil without a name.
    public init?(
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

/// Names an app of a store. Written `itunes:361309726`; a name alone belongs to the embedded store.
public struct StoreAppID: Hashable, Sendable, LosslessStringConvertible {
    /// ``MovieSource/itunes`` or ``MovieSource/embedded``.
    public let source: MovieSource
    /// Digits of iTunes; lower-case letters, digits and hyphens of the embedded store.
    public let key: String

    /// - Returns: nil when the source cannot call an app so.
    public init?(source: MovieSource, key: String) {
        guard [.itunes, .embedded].contains(source), let id = MovieID(source: source, key: key) else { return nil }
        (self.source, self.key) = (id.source, id.key)
    }

    /// Reads `source:key` or `key`.
    public init?(_ description: String) {
        guard let id = MovieID(description) else { return nil }
        self.init(source: id.source, key: id.key)
    }

    /// As it is read.
    public var description: String { self.source == .embedded ? self.key : "\(self.source.rawValue):\(self.key)" }
}
