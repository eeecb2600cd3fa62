import FoundationEssentials
import ProgramResources

/// The packaged catalogue: facts about films, and the files of their pictures.
package struct CatalogueResource: Sendable {
    package enum Failure: Error, CustomStringConvertible {
        case unreadable(path: String, reason: String)

        package var description: String {
            switch self {
            case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
            }
        }
    }

    /// Incremented when the import changes for the same files.
    private static let importVersion = 4

    /// The folder with `catalogue.json`, `originals` and `scenes`.
    package let directory: String
    let films: [Film]
    let posters: [String: Poster]
    /// By film, the backdrop first.
    let scenes: [String: [Scene]]
    let names: Names
    /// By film, the oldest first.
    let reviews: [String: [Review]]
    /// Changes with the files or ``importVersion``.
    let fingerprint: String

    /// - Parameter directory: The folder of the catalogue's files; `nil` searches beside the program.
    /// - Throws: ``Failure``, and `ProgramResources.Missing`.
    package init(directory: String? = nil) throws {
        let directory =
            try directory
            ?? ProgramResources(
                of: "EmbeddedCatalogue", with: "catalogue.json", subject: "the embedded catalogue"
            ).folder
        self.directory = directory
        let (catalogue, catalogueBytes) = try Self.read(Catalogue.self, directory + "/catalogue.json")
        let (names, nameBytes) = try Self.read(Names.self, directory + "/names.json")
        let (reviews, reviewBytes) = try Self.read(Reviews.self, directory + "/reviews.json")
        let (manifest, manifestBytes) = try Self.read(Manifest.self, directory + "/originals/manifest.json")
        let (scenes, sceneBytes) = try Self.read(SceneManifest.self, directory + "/scenes/manifest.json")
        self.films = catalogue.films
        self.posters = manifest.posters
        self.scenes = scenes.scenes
        self.names = names
        self.reviews = reviews.reviews
        let checksum = Self.checksum(catalogueBytes + nameBytes + reviewBytes + manifestBytes + sceneBytes)
        self.fingerprint = "\(catalogue.version)-\(Self.importVersion)-\(checksum)"
    }

    /// The path of a picture.
    ///
    /// - Parameter file: Includes its folder, except for a poster, which has only a name in stored copies of films.
    package func path(of file: String) -> String {
        self.directory + (file.contains("/") ? "/" : "/originals/") + file
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> (Value, Data) {
        do {
            let data = try Data(contentsOf: URL(filePath: path))
            return (try JSONDecoder().decode(type, from: data), data)
        } catch {
            throw Failure.unreadable(path: path, reason: "\(error)")
        }
    }

    /// FNV-1a: detects changes, but no forgeries.
    private static func checksum(_ data: Data) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in data { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

extension CatalogueResource {
    /// A film in `catalogue.json`.
    struct Film: Decodable {
        struct CastMember: Decodable {
            let name: String
            let role: String
        }
        struct Score: Decodable {
            let average: Double
            let count: Int
        }
        let id: String
        let titles: [String: String]
        let originalTitle: String
        let otherTitles: [String]?
        let originalLanguage: String
        let year: Int
        let releaseDate: String?
        let runtimeMinutes: Int?
        let countries: [String]
        let genres: [String]
        let directors: [String]
        let cast: [CastMember]
        let overviews: [String: String]
        let score: Score?
        let certificate: String?
        let sound: String?
        let colour: String?
    }

    /// The content of `catalogue.json`.
    struct Catalogue: Decodable {
        let version: Int
        let films: [Film]
    }

    /// A poster's file, from the posters' manifest.
    struct Poster: Decodable {
        let file: String
        let width: Int
        let height: Int
        let sha256: String
    }

    /// The posters' `manifest.json`.
    struct Manifest: Decodable {
        let posters: [String: Poster]
    }

    /// A file with a part of a poster's drawing, from the scenes' manifest.
    struct Scene: Decodable {
        let file: String
        let width: Int
        let height: Int
        let sha256: String
        /// Whether the drawing contains no letters.
        let textless: Bool
    }

    /// The scenes' `manifest.json`.
    struct SceneManifest: Decodable {
        let scenes: [String: [Scene]]
    }

    /// The content of `names.json`.
    struct Names: Decodable {
        struct Person: Decodable {
            /// The person's own language, if there is a name in it.
            let language: String?
            let names: [String: String]
            let others: [String]?
        }
        let words: [String: [String: String]]
        let people: [String: Person]
    }

    /// A review in `reviews.json`.
    struct Review: Decodable {
        let author: String
        let score: Double?
        /// `YYYY-MM-DD`.
        let day: String
        let content: String
    }

    /// The content of `reviews.json`.
    struct Reviews: Decodable {
        let reviews: [String: [Review]]
    }
}
