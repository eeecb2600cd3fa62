import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import PosterAPI
import PosterPipeline

/// What a request about films says.
struct FilmOrder: Sendable {
    let query: FilmQuery
    let languages: RequestedLanguages
    let headers: HTTPFields
    /// Who asks, as far as their connection tells.
    let client: String
    private let target: RequestTarget

    /// - Parameters:
    ///   - known: What the resource takes beside `language`.
    ///   - own: For whoever does not say what they read.
    /// - Throws: ``Problem``.
    init(
        _ request: Request, _ context: PosterRequestContext, known: [String] = [], default own: Language
    ) throws(Problem) {
        self.client = context.clientAddress.description
        self.target = RequestTarget(request.uri.string)
        self.headers = request.headers
        self.query = try FilmQuery(self.target, known: known + [RequestedLanguages.parameter])
        self.languages = try RequestedLanguages(self.query, headers: request.headers, default: own)
    }

    /// Still percent-encoded.
    var path: String { String(self.target.path) }

    var language: LanguagePreference { self.languages.preference }

    /// A segment of the path, decoded.
    ///
    /// - Parameter place: From 0.
    func segment(_ place: Int) throws(Problem) -> String {
        guard self.target.segments.indices.contains(place),
            let text = PercentEncoding.decode(self.target.segments[place])
        else { throw Problem(.invalidID, "the path holds malformed percent-encoding") }
        return text
    }

    /// The film that a segment of the path names.
    ///
    /// - Parameter place: From 0.
    func movieID(at place: Int = 1) throws(Problem) -> MovieID {
        guard let id = MovieID(try self.segment(place)) else { throw Self.noMovie }
        return id
    }

    /// Where the other pages are.
    func pageLinks(_ links: PosterURLBuilder) throws(Problem) -> PageLinks {
        try PageLinks(self.target, links: links)
    }

    private static var noMovie: Problem {
        let sources = MovieSource.allCases.filter { $0 != .kakao }.map(\.rawValue)
        return Problem(
            .invalidID,
            "the id is no film's: it must be [source:]key, such as tmdb:603, kobis:20228555 or nosferatu-1922; sources are "
                + sources.joined(separator: ", "))
    }
}
