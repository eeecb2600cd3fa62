import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain

/// What a request about films says.
struct MovieRequest: Sendable {
    let query: MovieParameters
    let languages: RequestedLanguages
    let headers: HTTPFields
    /// The address of the client.
    let client: String
    private let target: RequestTarget

    /// - Parameters:
    ///   - known: What the resource takes beside `language`.
    ///   - own: The language of clients that request none.
    /// - Throws: ``Problem``.
    init(
        _ request: Request, _ context: ServerRequestContext, known: [String] = [], default own: Language
    ) throws(Problem) {
        self.client = context.clientAddress.description
        self.target = RequestTarget(request.uri.string)
        self.headers = request.headers
        self.query = try MovieParameters(self.target, known: known + [RequestedLanguages.parameter])
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
    func pageLinks(_ publicURL: PublicURL?) throws(Problem) -> PageLinks {
        try PageLinks(self.target, publicURL: publicURL)
    }

    private static var noMovie: Problem {
        let sources = MovieSource.allCases.filter { $0 != .kakao }.map(\.rawValue)
        return Problem(
            .invalidID,
            "the id is no film's: it must be [source:]key, such as tmdb:603, kobis:20228555 or nosferatu-1922; sources are "
                + sources.joined(separator: ", "))
    }
}

/// The parameters of a request about films, each at most once. Free of any framework.
struct MovieParameters {
    /// The last page of lists that say nothing else.
    static let pageLimit = 500

    private let parameters: QueryParameters

    /// - Parameter known: What the resource takes.
    /// - Throws: ``Problem`` that names the parameter which is not known, or given twice.
    init(_ target: RequestTarget, known: [String]) throws(Problem) {
        let names = known.isEmpty ? "none" : known.joined(separator: ", ")
        self.parameters = try QueryParameters(try target.parameters(plusIsSpace: true), known: known, names: names)
    }

    /// Of a resource that is the same in all languages: clients that say theirs with every request may say it here too.
    ///
    /// - Parameter known: What the resource takes beside `language`.
    /// - Throws: ``Problem``, also for a language that is none.
    init(inAnyLanguage target: RequestTarget, known: [String] = []) throws(Problem) {
        try self.init(target, known: known + [RequestedLanguages.parameter])
        _ = try RequestedLanguages.named(in: self)
    }

    subscript(name: String) -> String? { self.parameters[name] }

    /// `page`; 1 without one.
    func page(upTo limit: Int = MovieParameters.pageLimit) throws(Problem) -> Int {
        try self.number("page", in: 1...max(1, limit)) ?? 1
    }

    /// - Returns: nil when the parameter is not there.
    func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        let accepted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return try self.value(name, accepted: accepted) { text in
            QueryParameters.number(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A day; nil when the parameter is not there.
    func date(_ name: String) throws(Problem) -> CalendarDate? {
        try self.value(name, accepted: "a day that exists, as YYYY-MM-DD") { CalendarDate($0) }
    }

    /// One of the cases by its name; nil when the parameter is not there.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        try self.parameters.choice(name)
    }

    /// - Parameter accepted: What `parse` takes, for people.
    /// - Returns: nil when the parameter is not there.
    func value<Value>(_ name: String, accepted: String, _ parse: (String) -> Value?) throws(Problem) -> Value? {
        try self.parameters.value(name, accepted: accepted, parse)
    }
}

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
