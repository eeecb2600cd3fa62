import MovieDomain
import UpstreamClient

extension StoreApp {
    private static let kinds = ["software", "mac-software"]

    /// - Returns: nil for what is no app, or has no name.
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
            minimumOSVersion: row.text("minimumOsVersion") ?? "", url: WebAddress.page(row.text("trackViewUrl")))
    }

    private static func formattedPrice(_ price: Double?, _ row: TolerantObject) -> String {
        if price == 0 { return "GET" }
        if let formatted = row.text("formattedPrice") { return formatted }
        // Some stores do not format prices.
        return price.map { "\($0) \(row.text("currency") ?? "")" }.map { PlainText.trimmed($0) } ?? ""
    }

    /// Of the first kind of device that there are some of.
    private static func screenshots(_ row: TolerantObject) -> [GalleryPicture] {
        let names = ["screenshotUrls", "ipadScreenshotUrls", "appletvScreenshotUrls"]
        let urls = names.map { row.texts($0).filter { WebAddress.isPicture($0) } }.first { !$0.isEmpty } ?? []
        return urls.uniqued.map {
            GalleryPicture(kind: .screenshot, location: .web(url: ITunesArtwork.largest($0, kind: .screenshot)))
        }
    }
}
