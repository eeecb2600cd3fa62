import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// Apps and films as rows of iTunes' results.
struct ITunesRows: Sendable {
    private static let artworkWidths = (software: [60, 100, 512], film: [30, 60, 100])

    let pictures: ITunesPictures
    let page: @Sendable (_ path: String) -> String

    func row(_ app: StoreApp) -> OrderedJSON {
        let picture = PictureID(app.id)
        let screenshots = app.screenshots.indices.map { self.pictures.screenshot(picture, at: $0 + 1) }
        var members = [
            OrderedJSON.Member("screenshotUrls", OrderedJSON.strings(screenshots)),
            .init("ipadScreenshotUrls", []), .init("appletvScreenshotUrls", []), .init("supportedDevices", []),
            .init("features", []), .init("advisories", []), .init("isGameCenterEnabled", false),
        ]
        if app.icon != nil { members += self.artwork(picture, Self.artworkWidths.software) }
        members += self.texts(of: app)
        members += self.figures(of: app)
        return .object(members)
    }

    private func texts(of app: StoreApp) -> [OrderedJSON.Member] {
        let url = app.url ?? self.page("/store/\(PercentEncoding.encode(app.id.description.utf8))")
        let released = app.releaseDate.map { "\($0)T00:00:00Z" } ?? ""
        let texts: [(String, String)] = [
            ("kind", "software"), ("wrapperType", "software"), ("trackName", app.name),
            ("trackCensoredName", app.name), ("bundleId", Self.bundleID(of: app.id)), ("artistName", app.developer),
            ("artistViewUrl", url), ("sellerName", app.seller), ("trackViewUrl", url),
            ("primaryGenreName", app.category), ("description", app.description), ("version", app.version),
            ("releaseNotes", app.releaseNotes), ("releaseDate", released), ("currentVersionReleaseDate", released),
            ("minimumOsVersion", app.minimumOSVersion), ("contentAdvisoryRating", app.contentRating),
            ("trackContentRating", app.contentRating), ("currency", app.currency),
            ("formattedPrice", app.price == 0 ? "Free" : app.formattedPrice),
        ]
        let own = texts.map { OrderedJSON.Member($0.0, .string($0.1)) }
        guard let byteCount = app.byteCount else { return own }
        return own + [OrderedJSON.Member("fileSizeBytes", .string("\(byteCount)"))]
    }

    private func figures(of app: StoreApp) -> [OrderedJSON.Member] {
        let genre = ITunesNumber.number(ofArtist: app.category)
        var members: [OrderedJSON.Member] = [
            .init("trackId", .integer(ITunesNumber.number(of: app.id))),
            .init("artistId", .integer(ITunesNumber.number(ofArtist: app.developer))),
            .init("price", .number(app.price ?? 0)), .init("primaryGenreId", .integer(genre)),
            .init("genres", OrderedJSON.strings([app.category])),
            .init("genreIds", OrderedJSON.strings(["\(genre)"])),
            .init("languageCodesISO2A", OrderedJSON.strings(app.languages.map { $0.code.uppercased() })),
            .init("isVppDeviceBasedLicensingEnabled", true),
        ]
        let rating = app.averageRating ?? 0
        for name in ["averageUserRating", "averageUserRatingForCurrentVersion"] {
            members.append(.init(name, .number(rating)))
        }
        for name in ["userRatingCount", "userRatingCountForCurrentVersion"] {
            members.append(.init(name, .integer(app.ratingCount)))
        }
        return members
    }

    /// A reversed host name: it may contain letters, digits, hyphens and dots.
    static func bundleID(of id: StoreAppID) -> String { "app.onesheet.\(id.key)" }

    func row(_ film: MovieSummary, in country: Country) -> OrderedJSON {
        let artist = film.directors.joined(separator: " & ")
        let url = self.page("/films/\(PercentEncoding.encode(film.id.description.utf8))")
        let date = film.releaseDate?.description ?? film.year.map { "\($0)-01-01" }
        let texts: [(String, String?)] = [
            ("wrapperType", "track"), ("kind", "feature-movie"), ("artistName", artist), ("trackName", film.title),
            ("trackCensoredName", film.title), ("trackViewUrl", url),
            ("releaseDate", date.map { "\($0)T00:00:00Z" }), ("collectionExplicitness", "notExplicit"),
            ("trackExplicitness", "notExplicit"), ("country", ITunesStorefront.code(of: country)), ("currency", "USD"),
            ("primaryGenreName", film.genres.first?.name ?? "Movies"),
            ("shortDescription", film.overview.isEmpty ? nil : String(film.overview.prefix(100))),
            ("longDescription", film.overview.isEmpty ? nil : film.overview),
        ]
        var members = [OrderedJSON.Member("trackId", .integer(ITunesNumber.number(of: film.id)))]
        members += texts.compactMap { text in text.1.map { OrderedJSON.Member(text.0, .string($0)) } }
        if film.poster != nil { members += self.artwork(PictureID(film.id), Self.artworkWidths.film) }
        return .object(members)
    }

    private func artwork(_ picture: PictureID, _ widths: [Int]) -> [OrderedJSON.Member] {
        widths.map { width in
            OrderedJSON.Member("artworkUrl\(width)", .string(self.pictures.artwork(picture, width: width)))
        }
    }
}
