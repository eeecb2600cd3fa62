import HTTPSemantics
import PosterCodec
import PosterPipeline

/// Finds out what a request asks for, in every language that URLs of pictures are written in. Synchronous, and free of any
/// framework.
package struct PictureReader: Sendable {
    package let policy: PicturePolicy
    /// Of ``PicturePolicies``.
    package let generation: UInt64

    /// - Parameter now: What signatures end by, in seconds since 1970.
    /// - Returns: nil when there is no picture at this path.
    /// - Throws: ``Problem`` that names what is wrong and what is accepted.
    func read(_ target: RequestTarget, headers: PictureHeaders, now: Int64) throws(Problem) -> PosterQuery? {
        guard let language = PictureLanguage(target) else { return nil }
        let signature = try PictureSignature(target, policy: self.policy, now: now)
        var query: PosterQuery
        switch language {
        case .poster(let id): query = try self.poster(PosterQuery.posterID(id), signature, headers)
        case .tmdb(let size, let file): query = try self.tmdbImage(size: size, file: file, signature, headers)
        case .next: query = try self.nextImage(signature, headers)
        case .proxy: query = try self.remote(signature, headers)
        }
        query.offersHints = self.policy.usesHints
        query.expires = signature.expires
        return query
    }

    /// For resources beside pictures that belong to them.
    ///
    /// - Returns: The parameters without those of the signature.
    /// - Throws: ``Problem``, when the signature is missing, wrong, or has ended.
    func admittedParameters(
        of target: RequestTarget, now: Int64
    ) throws(Problem) -> [(name: String, value: String)] {
        try PictureSignature(target, policy: self.policy, now: now).others
    }

    /// - Throws: ``Problem``, unless it is a URL that anybody or the signature allows.
    func remoteID(_ text: String, isSigned: Bool) throws(Problem) -> PosterID {
        let url: RemoteURL
        let id: PosterID
        do throws(RemoteURL.Malformed) {
            url = try RemoteURL(text)
        } catch {
            throw Problem(.invalidParameter, "url \(error.reason); it must be an absolute http or https URL")
        }
        guard isSigned || self.policy.allows(url) else {
            throw Problem(
                .urlNotAllowed,
                "this server makes no pictures of that URL, unless the request is signed for it; with a query fewer are allowed"
            )
        }
        do throws(PosterID.Malformed) {
            id = try PosterID(source: PosterID.urlSource, key: url.text)
        } catch {
            throw Problem(.invalidParameter, "url cannot be used: \(error.reason)")
        }
        return id
    }
}
