import FoundationEssentials

/// The packaged apps of the embedded store. All of them are invented.
struct StoreResource: Decodable {
    struct App: Decodable {
        struct Rating: Decodable {
            let average: Double
            let count: Int
        }

        let id: String
        /// By language code, like the texts below.
        let names: [String: String]
        let developer: String
        let seller: String
        /// Among ``StoreResource/categories``.
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
        /// Empty where a version has none.
        let releaseNotes: [String: String]
        /// A film: its poster is the picture, like those of the screenshots.
        let icon: String
        let screenshots: [String]
    }

    /// Names by language code.
    let categories: [String: [String: String]]
    let apps: [App]

    /// - Throws: ``CatalogueResource/Failure``.
    init(beside catalogue: CatalogueResource) throws(CatalogueResource.Failure) {
        let path = catalogue.posterDirectory + "/../Resources/apps.json"
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
    }
}
