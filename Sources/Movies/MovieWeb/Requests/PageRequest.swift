import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP

/// A request for a page, with validated parameters and languages.
struct PageRequest: Sendable {
    /// The parameter with which scripts request a page without its frame.
    static let partParameter = "part"

    let site: Website
    /// Percent-encoded.
    let path: String
    /// Decoded segments of the path.
    let segments: [String]
    /// The page's parameters besides `language`, in their order in addresses, `region` last; without empty values.
    let parameters: [(name: String, value: String)]
    let query: QueryParameters
    let languages: RequestedLanguages
    /// The language in the address, which links keep; `nil` if the browser's languages decide.
    let explicitLanguage: Language?
    /// The country of lists and releases: the address's, else the server's; `nil` leaves the choice to the source.
    let region: Country?
    let client: String
    /// Whether the response omits the page's frame.
    let isPart: Bool
    /// The badges on posters that the visitor has chosen; `nil` for none.
    var badges: PictureBadges?

    /// - Parameters:
    ///   - target: Path and query, as sent.
    ///   - known: The page's parameters; others are ignored, since other sites add parameters to addresses.
    /// - Throws: ``Problem`` for invalid values.
    init(
        target: RequestTarget, headers: HTTPFields, client: String, known: [String] = [], site: Website
    ) throws(Problem) {
        var segments: [String] = []
        for segment in target.segments {
            guard let text = PercentEncoding.decode(segment) else {
                throw Problem(.invalidID, "the path holds \(PercentEncoding.refusedTexts)")
            }
            segments.append(text)
        }
        let names = known + [RequestedLanguages.parameter, QueryParameters.regionParameter, Self.partParameter]
        // Forms without scripts submit empty fields.
        let pairs = try target.parameters(plusIsSpace: true).filter { name, value in
            names.contains(name) && !value.isEmpty
                // Links of a page must not contain the address of another site.
                && (name != ReturnPath.parameter || ReturnPath(value) != nil)
        }
        let query = try QueryParameters(pairs, known: names, names: names.joined(separator: ", "))
        self.site = site
        self.path = String(target.path)
        self.segments = segments
        // Keeps an explicit region: all pages of a list are of the same country.
        self.parameters = (known + [QueryParameters.regionParameter]).compactMap { name in
            query[name].map { (name, $0) }
        }
        self.query = query
        self.languages = try RequestedLanguages(
            query, headers: headers, default: site.services.defaultLanguage)
        self.explicitLanguage = try query.language()
        self.region = try query.region() ?? site.services.defaultRegion
        self.client = client
        self.isPart = query[Self.partParameter] != nil
    }

    /// The language of films and people.
    var language: LanguagePreference { self.languages.preference }

    /// The interface's language: Korean, English or Japanese.
    var interface: Language { TranslatedTexts.language(for: self.language) }

    var formats: PageFormats { PageFormats(table: self.site.texts, language: self.interface) }

    var links: PageLinks { PageLinks(language: self.explicitLanguage) }

    subscript(name: String) -> String? { self.query[name] }

    func render(_ template: String, _ model: Model) -> Markup {
        self.site.templates.render(template, model, in: self.interface)
    }

    /// The address of this page with changed parameters.
    ///
    /// - Parameters:
    ///   - changes: New values; `nil` removes a parameter.
    ///   - links: Determine the address's language; `nil` for this request's.
    func address(_ changes: [String: String?] = [:], links: PageLinks? = nil) -> String {
        var parameters: [(name: String, value: String?)] = self.parameters.map { name, value in
            (name, changes[name] ?? value)
        }
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if !parameters.contains(where: { $0.name == name }) { parameters.append((name, value)) }
        }
        return (links ?? self.links).url(self.path, parameters)
    }

    /// The page to which its forms return.
    var returnPath: ReturnPath { ReturnPath(self.address()) ?? .home }

    /// The film in the path's second segment.
    ///
    /// - Throws: ``Problem`` of the kind `invalid-id`; ``PageRedirection`` for an id in another spelling.
    func movieID() throws -> MovieID {
        let text = self.segments.count > 1 ? self.segments[1] : ""
        guard let id = MovieID(text) else { throw Problem(.invalidID, "the id is not a film id") }
        try self.checkSpelling(id.description)
        return id
    }

    /// - Parameter canonical: The canonical second segment.
    /// - Throws: ``PageRedirection`` if the segment differs.
    func checkSpelling(_ canonical: String) throws(PageRedirection) {
        guard self.segments.count > 1, self.segments[1] != canonical else { return }
        let rest = self.segments.dropFirst(2).map { "/" + PercentEncoding.encode($0.utf8) }.joined()
        let path = "/\(PercentEncoding.encode(self.segments[0].utf8))/\(canonical)\(rest)"
        throw PageRedirection(to: self.links.url(path, self.parameters.map { ($0.name, $0.value) }))
    }

    /// Reports films of the page, so that their posters can be rendered ahead.
    func reportServed(_ films: [MovieID]) {
        if !films.isEmpty { self.site.services.listServed?(films, self.language.first, self.path, self.client) }
    }
}

/// The page is at another address; permanently by default.
struct PageRedirection: Error, Hashable, Sendable {
    /// A path and query of this site.
    let location: String
    let status: HTTPResponse.Status

    init(to location: String, status: HTTPResponse.Status = .movedPermanently) {
        self.location = location
        self.status = status
    }
}
