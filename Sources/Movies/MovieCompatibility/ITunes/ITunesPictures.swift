import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// The URLs of pictures of this server, as clients reach them, in place of the store's.
struct ITunesPictures: Sendable {
    /// The width of screenshots, in pixels.
    private static let screenshotWidth = 800

    let urls: any PictureURLs
    let absolute: @Sendable (_ target: String) -> String

    /// An icon or a poster at most so many pixels wide.
    func artwork(_ id: PictureID, width: Int) throws(Problem) -> String {
        self.absolute(try self.urls.picture(id, width: width))
    }

    /// The screenshot at a place, from 1.
    func screenshot(_ id: PictureID, at place: Int) throws(Problem) -> String {
        self.absolute(try self.urls.picture(id.inGallery(at: place), width: Self.screenshotWidth))
    }

    /// The store's own document with pictures of this server. What has no id of the store's, and further screenshots of an app that has
    /// some for several kinds of devices, keep the store's.
    func rewritten(_ document: OrderedJSON) throws -> OrderedJSON {
        try document.replacing("results") { results in
            .array(try results.elements.map { try self.rewritten(row: $0) })
        }
    }

    private static let screenshots = ["screenshotUrls", "ipadScreenshotUrls", "appletvScreenshotUrls"]
    private static let softwareKinds = ["software", "mac-software"]

    private func rewritten(row: OrderedJSON) throws -> OrderedJSON {
        guard let number = row["trackId"]?.integer, let id = StoreAppID(source: .itunes, key: String(number)) else {
            return row
        }
        let kind = row["kind"]?.string ?? row["wrapperType"]?.string ?? ""
        let isSoftware = Self.softwareKinds.contains(kind)
        guard isSoftware || kind == "feature-movie" else { return row }
        let picture = PictureID(id)
        // The gallery of an app has those of the first kind of device.
        let list = Self.screenshots.first { !(row[$0]?.elements.isEmpty ?? true) }
        return try row.mapMembers { member in
            if member.name.hasPrefix("artworkUrl"), let width = Int(member.name.dropFirst("artworkUrl".count)) {
                return .string(try self.artwork(picture, width: width))
            }
            guard isSoftware, member.name == list else { return member.value }
            return .array(try self.screenshots(member.value.elements, of: picture))
        }
    }

    /// The gallery has each URL once.
    private func screenshots(_ urls: [OrderedJSON], of picture: PictureID) throws(Problem) -> [OrderedJSON] {
        var places: [OrderedJSON: Int] = [:]
        var own: [OrderedJSON] = []
        for url in urls {
            let place = places[url] ?? places.count + 1
            places[url] = place
            own.append(.string(try self.screenshot(picture, at: place)))
        }
        return own
    }
}
