import MovieDomain
import UpstreamClient

extension StoreApp {
    private static let kinds = ["software", "mac-software"]

    /// - Returns: `nil` if the item is not an app, or has no name.
    init?(itunes row: TolerantObject) {
        guard row.text("kind").map({ Self.kinds.contains($0) }) ?? (row.text("wrapperType") == "software"),
            let id = row.integer("trackId").flatMap({ StoreAppID(source: .itunes, key: String($0)) }),
            let name = row.text("trackName") ?? row.text("trackCensoredName")
        else { return nil }
        let icon = ITunesArtwork.first(
            of: ["artworkUrl512", "artworkUrl100", "artworkUrl60"].map { row.text($0) }, kind: .icon)
        let price = row.number("price").flatMap { $0 < 0 ? nil : $0 }
        self.init(
            id: id, name: name, icon: icon.map { PosterReference(.web(url: $0)) },
            category: row.text("primaryGenreName") ?? row.texts("genres").first ?? "", price: price,
            formattedPrice: Self.formattedPrice(price, row), currency: row.text("currency") ?? "",
            averageRating: row.number("averageUserRating"), ratingCount: row.integer("userRatingCount") ?? 0,
            screenshots: Self.screenshots(row),
            contentRating: row.text("contentAdvisoryRating") ?? row.text("trackContentRating") ?? "",
            languages: row.texts("languageCodesISO2A").compactMap { Language($0) }.uniqued,
            byteCount: row.integer("fileSizeBytes").map { Int64($0) }, description: row.text("description") ?? "",
            releaseNotes: row.text("releaseNotes") ?? "", version: row.text("version") ?? "",
            releaseDate: (row.date("currentVersionReleaseDate") ?? row.date("releaseDate"))?.date,
            seller: row.text("sellerName") ?? "", developer: row.text("artistName") ?? "",
            minimumOSVersion: row.text("minimumOsVersion") ?? "", url: WebURL.valid(row.text("trackViewUrl")))
    }

    private static func formattedPrice(_ price: Double?, _ row: TolerantObject) -> String {
        if price == 0 { return "" }
        if let formatted = row.text("formattedPrice") { return formatted }
        // Some stores do not format prices.
        return price.map { "\($0) \(row.text("currency") ?? "")" }.map { PlainText.trimmed($0) } ?? ""
    }

    /// The screenshots of the first kind of device that has any.
    private static func screenshots(_ row: TolerantObject) -> [GalleryPicture] {
        let names = ["screenshotUrls", "ipadScreenshotUrls", "appletvScreenshotUrls"]
        let urls = names.map { row.texts($0).filter { WebURL.isValid($0) } }.first { !$0.isEmpty } ?? []
        return urls.uniqued.map {
            GalleryPicture(kind: .screenshot, location: .web(url: ITunesArtwork.largest($0, kind: .screenshot)))
        }
    }
}

/// Pictures of the iTunes Store. The last path element is the requested size, `{width}x{height}{style}.{extension}`.
enum ITunesArtwork {
    /// The kind of picture, which determines the requested size.
    enum Kind {
        /// The size that Apple requires of developers: 1024 × 1024.
        case icon
        /// The screens of the largest devices: 2880 on the longer side.
        case screenshot
        /// At most 3000 on the longer side.
        case poster

        fileprivate var side: Int {
            switch self {
            case .icon: 1024
            case .screenshot: 2880
            case .poster: 3000
            }
        }
    }

    /// The URL of the picture's largest size: the store fits it into a square and does not enlarge it.
    /// - Returns: `url` itself if it states no size.
    static func largest(_ url: String, kind: Kind) -> String {
        guard let slash = url.lastIndex(of: "/") else { return url }
        let element = url[url.index(after: slash)...]
        guard let cross = element.firstIndex(of: "x"), let dot = element.lastIndex(of: "."), cross < dot else {
            return url
        }
        let rest = element[element.index(after: cross)..<dot]
        let height = rest.prefix { ("0"..."9").contains($0) }
        let style = rest[height.endIndex...]
        let `extension` = element[element.index(after: dot)...]
        guard let width = Int(element[..<cross]), let height = Int(height), width > 0, height > 0,
            style.utf8.count <= 4, style.utf8.allSatisfy({ (97...122).contains($0) }),
            ["jpg", "jpeg", "png", "webp"].contains(`extension`)
        else { return url }
        let side = max(kind.side, width, height)
        // Styles other than "bb" crop or fill.
        return "\(url[...slash])\(side)x\(side)bb.\(`extension`)"
    }

    /// The first valid URL, in its largest size; `nil` if no URL is valid.
    static func first(of urls: [String?], kind: Kind) -> String? {
        urls.lazy.compactMap { $0 }.first { WebURL.isValid($0) }.map { Self.largest($0, kind: kind) }
    }
}
