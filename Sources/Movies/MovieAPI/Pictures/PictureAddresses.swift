import HTTPSemantics
import MovieDomain
import PosterAPI
import PosterPipeline

/// Where the pictures beside a poster are had from this server.
struct PictureAddresses: Sendable {
    /// In pixels, where there is no ladder; else the next rung.
    private static let galleryWidth = 780
    /// In pixels, where there is no ladder; else the next rung.
    private static let portraitWidth = 185

    let links: PosterURLBuilder
    /// Whether The Movie Database's images can be asked for.
    let servesTMDBImages: Bool
    /// The only widths that there are; nil for all.
    let ladder: WidthLadder?

    /// - Parameters:
    ///   - id: The film or app that has the gallery.
    ///   - place: In the gallery, from 1.
    func galleryPicture(_ picture: GalleryPicture, at place: Int, of id: PosterID) throws(Problem) -> String {
        if case .tmdb(let file) = picture.location, self.servesTMDBImages {
            return try self.links.tmdbImage(file, size: "w\(self.width(Self.galleryWidth))")
        }
        let id: PosterID = try Self.numbered(id, place)
        return try self.links.variant(of: id, width: self.width(Self.galleryWidth), format: nil, version: nil)
    }

    /// - Returns: nil when it cannot be had from here.
    func portrait(_ location: PictureLocation?) throws(Problem) -> String? {
        guard case .tmdb(let file)? = location, self.servesTMDBImages else { return nil }
        return try self.links.tmdbImage(file, size: "w\(self.width(Self.portraitWidth))")
    }

    private func width(_ usual: Int) -> Int { self.ladder?.rung(atLeast: usual) ?? usual }

    /// `tmdb:603~2` is the second picture of the gallery of `tmdb:603`.
    private static func numbered(_ id: PosterID, _ place: Int) throws(Problem) -> PosterID {
        do throws(PosterID.Malformed) {
            return try PosterID(source: id.source, key: "\(id.key)~\(place)")
        } catch {
            throw Problem(.invalidID, "the id is not [source:]key: \(error.reason)")
        }
    }
}
