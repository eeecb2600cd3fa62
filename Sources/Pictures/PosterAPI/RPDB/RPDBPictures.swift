import HTTPSemantics
package import PosterPipeline

/// Finds the pictures of films and series for RPDB's paths.
package protocol RPDBPictureFinder: Sendable {
    /// The picture in memory, without waiting; `nil` if it must be looked up.
    func knownPicture(_ kind: RPDBPictureKind, of title: RPDBTitle, language: String?) -> RPDBPicture?

    /// - Parameter language: A language code in lower case; `nil` for the server's language.
    /// - Returns: `nil` if there is no such film or series, or it has no such picture.
    /// - Throws: ``PosterPipeline/PosterError``, `CancellationError`.
    func picture(_ kind: RPDBPictureKind, of title: RPDBTitle, language: String?) async throws -> RPDBPicture?
}

/// A picture of a film or series.
package struct RPDBPicture: Sendable {
    package let id: PosterID
    /// The scores of a series; `nil` for a film, to be found by the film's id.
    package let scores: BadgeScores?
    /// Whether `/poster/{id}` serves the picture.
    package let isAtPoster: Bool

    package init(_ id: PosterID, scores: BadgeScores? = nil, isAtPoster: Bool = true) {
        self.id = id
        self.scores = scores
        self.isAtPoster = isAtPoster
    }
}

/// The accepted client keys, with the badges of each.
package struct RPDBKeys: Sendable {
    /// Whether only listed keys are accepted.
    let areRequired: Bool
    private let find: @Sendable (String) -> BadgeDefaults?

    /// - Parameter find: Returns `nil` for a key that is not accepted.
    package init(areRequired: Bool, _ find: @escaping @Sendable (String) -> BadgeDefaults?) {
        self.areRequired = areRequired
        self.find = find
    }

    /// - Throws: ``Problem`` of the kind `unauthorized`.
    func defaults(of key: String) throws(Problem) -> BadgeDefaults {
        guard let defaults = self.find(key) else {
            throw Problem(.unauthorized, "the key in the path is not one of this server's")
        }
        return defaults
    }
}
