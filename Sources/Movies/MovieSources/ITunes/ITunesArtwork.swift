import UpstreamClient

/// Pictures of the iTunes Store: the last element of their paths is what size is asked for, `{width}x{height}{style}.{extension}`.
enum ITunesArtwork {
    /// What a picture is of, which says how large it may be.
    enum Kind {
        /// As Apple asks developers for: 1024 × 1024.
        case icon
        /// As the screens of its largest devices, 2880 on the longer side.
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

    /// The same picture in a square as large as may be: the store fits it in, and does not enlarge it.
    ///
    /// - Returns: The URL itself when it does not say a size.
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
        // Other styles than "bb" crop or fill.
        return "\(url[...slash])\(side)x\(side)bb.\(`extension`)"
    }

    /// The largest of several URLs; nil when none is one.
    static func first(of urls: [String?], kind: Kind) -> String? {
        urls.lazy.compactMap { $0 }.first { WebAddress.isPicture($0) }.map { Self.largest($0, kind: kind) }
    }
}
