import HTTPSemantics
import HTTPServer
import MovieDomain

/// A trailer, clip or similar video. Unknown members are absent.
struct VideoObject: Encodable, Hashable, Sendable {
    let id: String
    let type, site: String
    let key: String
    /// May be empty.
    let name: String
    let language, country: String?
    let official: Bool
    /// RFC 3339.
    let publishedAt: String?
    /// In pixels.
    let height: Int?
    /// The video's page; for iTunes, its file.
    let url: String
    /// `nil` unless the video is at YouTube and this server serves thumbnails.
    let thumbnail: PosterObject?

    init(_ video: Video, _ urls: any PictureURLs) throws(Problem) {
        self.id = video.id
        self.type = video.kind.rawValue
        self.site = video.site.rawValue
        self.key = video.key
        self.name = video.name
        self.language = video.language?.code
        self.country = video.country?.code
        self.official = video.isOfficial
        self.publishedAt = video.publishedAt?.description
        self.height = video.height
        self.url = video.url
        self.thumbnail = video.site == .youtube ? try urls.videoThumbnail(video.key) : nil
    }
}
