import FoundationEssentials
import MovieDomain

/// The packaged apps of the embedded store. All of them are invented.
struct AppStoreResource: Decodable {
    struct App: Decodable {
        struct Rating: Decodable {
            let average: Double
            let count: Int
        }

        let id: String
        /// By language code, like all other texts.
        let names: [String: String]
        let developer: String
        let seller: String
        /// A key of ``AppStoreResource/categories``.
        let category: String
        /// In won.
        let price: Double
        let rating: Rating?
        let languages: [String]
        let byteCount: Int64
        let version: String
        let releaseDate: String
        let minimumOSVersion: String
        let contentRating: String
        let descriptions: [String: String]
        /// Empty for a version without notes.
        let releaseNotes: [String: String]
        /// A film: its poster is the picture. The same applies to ``screenshots``.
        let icon: String
        let screenshots: [String]
    }

    /// Names by language code.
    let categories: [String: [String: String]]
    let apps: [App]

    init(beside catalogue: CatalogueResource) throws(CatalogueResource.Failure) {
        let path = catalogue.directory + "/apps.json"
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
    }
}

extension AppStoreResource.App {
    /// - Returns: `nil` if the entry is no valid app.
    func app(
        in language: LanguagePreference, categories: [String: [String: String]],
        posters: [String: CatalogueResource.Poster]
    ) -> StoreApp? {
        let text = { (texts: [String: String]) in language.choice(from: texts, original: nil)?.text ?? "" }
        guard let id = StoreAppID(source: .embedded, key: self.id) else { return nil }
        return StoreApp(
            id: id, name: text(self.names),
            icon: posters[self.icon].map { PosterReference($0.location, size: $0.size) },
            category: text(categories[self.category] ?? [:]), price: self.price,
            formattedPrice: self.price == 0 ? "" : "₩" + Int(self.price).groupedByThousands, currency: "KRW",
            averageRating: self.rating?.average, ratingCount: self.rating?.count ?? 0,
            screenshots: self.screenshots.compactMap { posters[$0] }.map {
                GalleryPicture(kind: .screenshot, location: $0.location, size: $0.size)
            }, contentRating: self.contentRating, languages: self.languages.compactMap { Language($0) },
            byteCount: self.byteCount, description: text(self.descriptions), releaseNotes: text(self.releaseNotes),
            version: self.version, releaseDate: CalendarDate(self.releaseDate), seller: self.seller,
            developer: self.developer, minimumOSVersion: self.minimumOSVersion)
    }
}

extension CatalogueResource.Poster {
    var location: PictureLocation { .packaged(file: self.file, version: self.sha256) }
    var size: PictureSize? { PictureSize(width: self.width, height: self.height) }
}
