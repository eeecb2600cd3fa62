import MovieDomain
import UpstreamClient

/// A picture of TMDB by its path.
enum TMDBPicture {
    /// The longest file name, in bytes.
    private static let maxNameLength = 64

    /// The place of `/name.jpg`; nil for what is no plain file name, which nothing must be asked for.
    static func location(_ path: String?) -> PictureLocation? {
        guard let path, path.first == "/" else { return nil }
        let name = path.dropFirst()
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard name.utf8.count <= Self.maxNameLength, parts.count == 2,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isNameByte) })
        else { return nil }
        return .tmdb(file: String(name))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Of a row of `images`.
    static func picture(_ row: TolerantObject, kind: GalleryPicture.Kind) -> GalleryPicture? {
        Self.location(row.text("file_path")).map { GalleryPicture(kind: kind, location: $0, size: Self.size(row)) }
    }

    private static func size(_ row: TolerantObject) -> PictureSize? {
        guard let width = row.integer("width"), let height = row.integer("height") else { return nil }
        return PictureSize(width: width, height: height)
    }
}
