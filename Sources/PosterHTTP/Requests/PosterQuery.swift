import PosterCodec
import PosterPipeline

/// Reads `GET /poster/{id}?w=368`. Synchronous, and free of any framework.
enum PosterQuery {
    /// The widths that may be asked for, in pixels.
    static let widths = 16...4096

    /// - Parameters:
    ///   - id: The path's last segment, still percent-encoded: it is decoded here, once.
    ///   - accept: The `Accept` header, its lines joined by commas; nil without one.
    /// - Throws: ``Problem`` that names the parameter and what is accepted.
    static func parse(id: Substring, target: RequestTarget, accept: String?) throws(Problem) -> PosterRequest {
        guard let text = PercentEncoding.decode(id) else {
            throw Problem(.invalidID, "the id holds malformed percent-encoding; a '/' in a key is written %2F")
        }
        let posterID: PosterID
        do {
            posterID = try PosterID(text)
        } catch {
            throw Problem(.invalidID, "the id is not [source:]key: \(error.reason)")
        }
        var width: Int?
        for (name, value) in try target.parameters() {
            guard name == "w" else {
                throw Problem(.invalidParameter, "'\(name.prefix(64))' is no parameter of this resource; it takes w")
            }
            guard width == nil else { throw Problem(.invalidParameter, "w is given more than once") }
            width = try self.width(value)
        }
        guard let width else { return PosterRequest(id: posterID, rendition: .original) }
        let format: OutputFormat = AcceptHeader(accept).prefersWebP ? .webp : .jpeg
        return PosterRequest(id: posterID, rendition: .variant(RenderTarget(width: width, format: format)))
    }

    private static func width(_ text: String) throws(Problem) -> Int {
        // Digits only: Int would take "+368" as well.
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let width = Int(text),
            self.widths.contains(width)
        else {
            throw Problem(
                .invalidParameter,
                "w must be a whole number of pixels from \(self.widths.lowerBound) to \(self.widths.upperBound)")
        }
        return width
    }
}
