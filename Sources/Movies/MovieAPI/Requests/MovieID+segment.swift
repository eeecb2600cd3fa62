import HTTPSemantics
import MovieDomain
import PosterPipeline

extension MovieID {
    /// The film that a client names.
    ///
    /// - Parameter segment: Of a path, still percent-encoded: it is decoded here, once.
    /// - Throws: ``Problem`` of the kind `invalid-id`.
    init(segment: Substring) throws(Problem) {
        guard let text = PercentEncoding.decode(segment), let id = MovieID(text) else {
            throw Problem(
                .invalidID, "the id names no film: it is a name such as nosferatu-1922, or source:key such as tmdb:603")
        }
        self = id
    }
}
