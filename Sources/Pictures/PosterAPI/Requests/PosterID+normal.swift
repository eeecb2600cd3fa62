import HTTPSemantics
public import PosterPipeline

extension PosterID {
    /// As pictures are kept: a URL in its normal form, whichever spelling of it this is.
    ///
    /// - Throws: ``PosterPipeline/PosterID/Malformed``, when it is a URL that no picture can have.
    public func normal() throws(Malformed) -> PosterID {
        guard self.source == Self.urlSource else { return self }
        let url: RemoteURL
        do throws(RemoteURL.Malformed) {
            url = try RemoteURL(self.key)
        } catch {
            throw Malformed(reason: "the URL \(error.reason)")
        }
        return try PosterID(source: Self.urlSource, key: url.text)
    }
}
