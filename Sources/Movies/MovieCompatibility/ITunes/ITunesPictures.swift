import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// URLs of this server's pictures, as clients reach them, which replace the store's.
struct ITunesPictures: Sendable {
    /// The width of screenshots, in pixels.
    private static let screenshotWidth = 800
    /// The accepted widths, in pixels.
    private static let widths = 16...4096
    /// The largest number of a screenshot.
    private static let lastScreenshot = 99
    /// The path before a picture's id and size.
    static let path = CompatibleAPI.itunes.base + "/image"

    let urls: any PictureURLs
    let absolute: @Sendable (_ target: String) -> String

    /// The URL of an icon or poster of at most `width` pixels. As in the store's URLs, clients may replace the size in
    /// the last segment.
    func artwork(_ id: PictureID, width: Int) -> String {
        let name = PercentEncoding.encode("\(id.source):\(id.key)".utf8)
        return self.absolute("\(Self.path)/\(name)/\(width)x\(width)bb.jpg")
    }

    /// The screenshot at a place, from 1.
    func screenshot(_ id: PictureID, at place: Int) -> String {
        self.artwork(id.inGallery(at: place), width: Self.screenshotWidth)
    }

    /// The picture's URL for a path made by ``artwork(_:width:)``; `nil` for other paths.
    ///
    /// - Parameters:
    ///   - name: The decoded id.
    ///   - size: For example `600x600bb.jpg`; only the width counts.
    func location(name: String, size: String) throws(Problem) -> String? {
        let parts = name.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
        guard let id = MovieID(String(parts[0])), let width = QueryParameters.number(String(size.prefix { $0 != "x" })),
            Self.widths.contains(width)
        else { return nil }
        var picture = PictureID(id)
        if parts.count > 1 {
            guard let place = QueryParameters.number(String(parts[1])), (1...Self.lastScreenshot).contains(place) else {
                return nil
            }
            picture = picture.inGallery(at: place)
        }
        return try self.urls.picture(picture, width: width)
    }

    /// The store's document with this server's pictures. Rows without a number of the store keep the store's, and so do
    /// the further screenshots of an app that has some for several kinds of devices.
    func rewritten(_ document: OrderedJSON) -> OrderedJSON {
        document.replacing("results") { results in
            .array(results.elements.map { self.rewritten(row: $0) })
        }
    }

    private static let screenshots = ["screenshotUrls", "ipadScreenshotUrls", "appletvScreenshotUrls"]
    private static let softwareKinds = ["software", "mac-software"]

    private func rewritten(row: OrderedJSON) -> OrderedJSON {
        guard let number = row["trackId"]?.integer, let id = StoreAppID(source: .itunes, key: String(number)) else {
            return row
        }
        let kind = row["kind"]?.string ?? row["wrapperType"]?.string ?? ""
        let isSoftware = Self.softwareKinds.contains(kind)
        guard isSoftware || kind == "feature-movie" else { return row }
        let picture = PictureID(id)
        // An app's gallery has the screenshots of the first kind of device.
        let list = Self.screenshots.first { !(row[$0]?.elements.isEmpty ?? true) }
        return row.mapMembers { member in
            if member.name.hasPrefix("artworkUrl"), let width = Int(member.name.dropFirst("artworkUrl".count)) {
                return .string(self.artwork(picture, width: width))
            }
            guard isSoftware, member.name == list else { return member.value }
            return .array(self.screenshots(member.value.elements, of: picture))
        }
    }

    /// A gallery contains each URL once.
    private func screenshots(_ urls: [OrderedJSON], of picture: PictureID) -> [OrderedJSON] {
        var places: [OrderedJSON: Int] = [:]
        var own: [OrderedJSON] = []
        for url in urls {
            let place = places[url] ?? places.count + 1
            places[url] = place
            own.append(.string(self.screenshot(picture, at: place)))
        }
        return own
    }
}
