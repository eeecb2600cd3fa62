import HTTPSemantics
import HTTPServer
import PosterCodec
import PosterPipeline

/// `/t/p/{size}/{file}`: The Movie Database's image paths, so that its clients only need another base URL. Packaged
/// pictures have names there too (``PackagedPictureFile``). Parameters other than the signature's are ignored, as at
/// The Movie Database: clients add some to bypass caches.
extension PictureRequestParser {
    func tmdbImage(
        size: Substring, file: Substring, _ headers: PictureRequestHeaders
    ) throws(Problem) -> PictureRequest {
        let isPackaged = PackagedPictureFile.key(of: file) != nil
        if !isPackaged { try self.checkTMDBImages() }
        let file = try TMDBImageFile(file)
        let size = try TMDBImageSize(size)
        guard !size.isOriginal else {
            return PictureRequest(request: PosterRequest(id: file.id, rendition: .original))
        }
        let box = try size.box(on: self.policy.ladder)
        let format = NegotiatedFormat(negotiated: file.formats(negotiated: headers.formats))
        let quality = NegotiatedQuality(
            nil, hints: self.policy.usesHints ? headers.hints : ClientHints(), format: format, policy: self.policy)
        let wanted = RenderTarget(
            width: box.width, height: box.height, fit: size.fit, position: size.position, format: format.format,
            effort: self.policy.effort, effect: size.effect)
        var query = PictureRequest(request: PosterRequest(id: file.id, wanted, format, quality))
        query.vary = [format.vary, quality.vary]
        return query
    }

    /// - Throws: ``Problem`` unless the policy serves TMDB's images.
    func checkTMDBImages() throws(Problem) {
        guard self.policy.servesTMDBImages else {
            throw Problem(.notFound, "this server does not serve pictures of The Movie Database")
        }
    }
}

/// The last segment of The Movie Database's image paths, such as `ojDg0PGvs6R9xYFodRct2kdI6wC.jpg`.
struct TMDBImageFile {
    private static let extensions = ["jpg", "png", "webp", "svg"]
    /// The maximum length of the name before the dot, in bytes.
    private static let nameLimit = 64

    let id: PosterID
    private let mayHaveAlpha: Bool

    /// - Parameter segment: The segment as received: no permitted character needs percent-encoding.
    init(_ segment: Substring) throws(Problem) {
        let parts = segment.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, (1...Self.nameLimit).contains(parts[0].count), parts[0].allSatisfy(Self.isOfName),
            let kind = Self.extensions.first(where: { $0.utf8.elementsEqual(parts[1]) })
        else { throw Self.malformed }
        do throws(PosterID.Malformed) {
            if let key = PackagedPictureFile.key(of: segment) {
                self.id = try PosterID(key: key)
            } else {
                self.id = try PosterID(source: PosterID.tmdbImageSource, key: String(segment))
            }
        } catch {
            throw Self.malformed
        }
        self.mayHaveAlpha = kind == "png" || kind == "svg"
    }

    /// The negotiated formats; PNG replaces a format that would lose a logo's transparency.
    func formats(negotiated: FormatChoice) -> FormatChoice {
        guard self.mayHaveAlpha, !negotiated.format.hasAlpha else { return negotiated }
        return FormatChoice(.png, preferred: negotiated.preferred)
    }

    private static var malformed: Problem {
        Problem(
            .invalidID,
            "the file must be 1 to \(Self.nameLimit) letters, digits, '-' and '_', and .jpg, .png, .webp or .svg")
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
