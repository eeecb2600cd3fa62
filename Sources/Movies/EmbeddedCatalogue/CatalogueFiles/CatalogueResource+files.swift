extension CatalogueResource {
    /// A film of `catalogue.json`.
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

    /// All of `catalogue.json`.
    struct Catalogue: Decodable {
        let version: Int
        let films: [Film]
    }

    /// A poster's file, of the manifest beside the posters.
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

    /// All of `names.json`.
    struct Names: Decodable {
        struct Person: Decodable {
            /// Their own, when they have a name in it.
            let language: String?
            let names: [String: String]
            let others: [String]?
        }
        let genres: [String: [String: String]]
        let words: [String: [String: String]]
        let people: [String: Person]
    }

    /// A review of `reviews.json`.
    struct Review: Decodable {
        let author: String
        let score: Double?
        /// `YYYY-MM-DD`.
        let day: String
        let content: String
    }

    /// All of `reviews.json`.
    struct Reviews: Decodable {
        let reviews: [String: [Review]]
    }
}
