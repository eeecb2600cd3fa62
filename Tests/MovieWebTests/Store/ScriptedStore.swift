import MovieDomain
import Synchronization

/// A store with given apps: the first one is featured, and every term finds all of them.
final class ScriptedStore: AppStoreRepository {
    let source: MovieSource
    private let apps: [StoreApp]
    private let queries = Mutex<[String]>([])

    init(source: MovieSource = .embedded, _ apps: [StoreApp] = []) {
        self.source = source
        self.apps = apps
    }

    /// The searches, as `term offset limit`, in order.
    var asked: [String] { self.queries.withLock { $0 } }

    func search(_ term: String, offset: Int, limit: Int, language: LanguagePreference) async throws -> StoreResults {
        self.queries.withLock { $0.append("\(term) \(offset) \(limit)") }
        let rest = self.apps.dropFirst(offset)
        return StoreResults(apps: Array(rest.prefix(limit)), hasMore: rest.count > limit)
    }

    func app(_ id: StoreAppID, language: LanguagePreference) async throws -> StoreApp? {
        self.apps.first { $0.id == id }
    }

    func today(language: LanguagePreference) async throws -> StoreToday {
        StoreToday(featured: self.apps.first, list: Array(self.apps.dropFirst().prefix(5)))
    }
}

extension StoreApp {
    struct NoApp: Error {}

    /// An app with all properties that a page shows.
    static func sample(_ key: String = "app-reel", name: String = "Reel", url: String? = nil) throws -> StoreApp {
        let shots = [PictureSize(width: 600, height: 1300), nil].map {
            GalleryPicture(kind: .screenshot, location: .web(url: "https://a.test/x.png"), size: $0)
        }
        guard let id = StoreAppID(key),
            let app = StoreApp(
                id: id, name: name, icon: PosterReference(.web(url: "https://a.test/i.png")), category: "Games",
                price: 0, averageRating: 4.5, ratingCount: 1234, screenshots: shots, contentRating: "4+",
                languages: ["ko", "en"].compactMap { Language($0) }, byteCount: 84_200_000,
                description: "First paragraph.\n\nSecond.", releaseNotes: "Faster.", version: "5.2",
                seller: "Reel Ltd", developer: "Paper Moon", minimumOSVersion: "15.0", url: url)
        else { throw NoApp() }
        return app
    }
}
