import MovieDomain
import UpstreamClient

/// Pictures of KMDb, whose URLs are joined with `|` to one text.
enum KMDbPicture {
    /// The most pictures of a film that count.
    private static let limit = 30

    /// Absolute URLs in their order, each once; what is none is left out.
    static func urls(in text: String?) -> [String] {
        let urls = PlainText.parts(of: text, separator: "|").filter { WebAddress.isPicture($0) }
        return Array(urls.uniqued.prefix(Self.limit))
    }

    /// The full picture that a thumbnail is of: `…/thm/02/99/18/94/tn_DPF031047.jpg` is of `…/poster/99/18/94/DPF031047_01.jpg`, and
    /// `…/thm/01/copy/00/56/24/tn_DST714548.jpg` of `…/still/copy/00/56/24/DST714548.jpg`, as KMDb's own answers name both forms.
    ///
    /// It is not known to hold for every picture: whoever takes it should have the thumbnail at hand, too.
    ///
    /// - Returns: nil for what is no such thumbnail.
    static func fullSize(of url: String) -> String? {
        for (thumbnails, pictures, suffix) in [("/thm/02/", "/poster/", "_01"), ("/thm/01/copy/", "/still/copy/", "")] {
            let parts = url.split(separator: thumbnails, omittingEmptySubsequences: false)
            guard parts.count == 2, let slash = parts[1].lastIndex(of: "/") else { continue }
            let file = parts[1][parts[1].index(after: slash)...]
            guard file.hasPrefix("tn_"), let dot = file.lastIndex(of: "."), file.dropFirst(3).startIndex < dot else {
                continue
            }
            let name = file.dropFirst(3)[..<dot]
            return "\(parts[0])\(pictures)\(parts[1][...slash])\(name)\(suffix)\(file[dot...])"
        }
        return nil
    }
}
