/// A trailer, clip or other video at a video site.
package struct Video: Hashable, Sendable {
    /// The kinds of videos, in order of preference.
    package enum Kind: String, CaseIterable, Sendable {
        case trailer, teaser, clip, featurette, behindTheScenes, bloopers, other

        /// - Parameter word: TMDB's word, such as `Behind the Scenes`.
        package init(word: String) {
            switch word.lowercased() {
            case "trailer": self = .trailer
            case "teaser": self = .teaser
            case "clip": self = .clip
            case "featurette": self = .featurette
            case "behind the scenes": self = .behindTheScenes
            case "bloopers": self = .bloopers
            default: self = .other
            }
        }
    }

    package enum Site: String, CaseIterable, Sendable {
        case youtube, vimeo, itunes

        /// Whether the text is a valid key of the site's videos. Keys become parts of URLs.
        package func isKey(_ key: String) -> Bool {
            let isDigit = { (byte: UInt8) in (48...57).contains(byte) }
            switch self {
            case .youtube:
                return key.utf8.count == 11
                    && key.utf8.allSatisfy {
                        isDigit($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95
                    }
            case .vimeo: return (1...12).contains(key.utf8.count) && key.utf8.allSatisfy(isDigit)
            case .itunes: return (1...18).contains(key.utf8.count) && key.utf8.allSatisfy(isDigit)
            }
        }

        /// The page of a video; `nil` for sites without pages.
        fileprivate func page(_ key: String) -> String? {
            switch self {
            case .youtube: "https://www.youtube.com/watch?v=\(key)"
            case .vimeo: "https://vimeo.com/\(key)"
            case .itunes: nil
            }
        }
    }

    /// The maximal number of videos per film; further ones are dropped.
    package static let limit = 100

    /// Unique within its source.
    package let id: String
    package let kind: Kind
    package let site: Site
    /// The video's key at the site.
    package let key: String
    /// May be empty.
    package let name: String
    package let language: Language?
    package let country: Country?
    /// Whether the film's makers or distributors published it.
    package let isOfficial: Bool
    package let publishedAt: Instant?
    /// The height in pixels, such as 720 or 1080; `nil` if unknown.
    package let height: Int?
    /// The video's page; its file at iTunes.
    package let url: String

    /// - Parameter url: The file's URL for a site without pages (iTunes); ignored for others.
    /// - Returns: `nil` if the key is invalid for the site, or there is no URL.
    package init?(
        id: String, kind: Kind, site: Site, key: String, name: String, language: Language? = nil,
        country: Country? = nil, isOfficial: Bool = false, publishedAt: Instant? = nil, height: Int? = nil,
        url: String? = nil
    ) {
        guard site.isKey(key), let url = site.page(key) ?? url else { return nil }
        self.id = id
        self.kind = kind
        self.site = site
        self.key = key
        self.name = name
        self.language = language
        self.country = country
        self.isOfficial = isOfficial
        self.publishedAt = publishedAt
        self.height = height.flatMap { $0 > 0 ? $0 : nil }
        self.url = url
    }

    /// Sorts the best first: by preferred language, then English, then others; within a language official videos first,
    /// then in the order of ``Kind``, then the latest.
    package static func ranked(_ videos: [Video], for language: LanguagePreference) -> [Video] {
        let languages = language.languages + (language.languages.contains(.english) ? [] : [.english])
        let ranks = videos.enumerated().map { place, video in
            [
                video.language.flatMap { languages.firstIndex(of: $0) } ?? languages.count,
                video.isOfficial ? 0 : 1,
                Kind.allCases.firstIndex(of: video.kind) ?? Kind.allCases.count,
                -Int(video.publishedAt?.secondsSince1970 ?? -.max),
                place,
            ]
        }
        return videos.indices.sorted { ranks[$0].lexicographicallyPrecedes(ranks[$1]) }.map { videos[$0] }
    }
}
