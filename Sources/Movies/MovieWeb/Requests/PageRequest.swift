import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP

/// A request for a page, with its parameters and languages checked.
struct PageRequest: Sendable {
    /// The parameter of scripts that want a page without what every page has.
    static let partParameter = "part"

    let site: Website
    /// Percent-encoded.
    let path: String
    /// Decoded segments of the path.
    let segments: [String]
    /// What the page takes beside `language`, in the order in which addresses have it, `region` last; without empty values.
    let parameters: [(name: String, value: String)]
    let query: QueryParameters
    let languages: RequestedLanguages
    /// That of the address, which links carry along; nil when the browser's decide.
    let explicitLanguage: Language?
    /// The country of what is shown and released: the address's, else the server's; nil for the source's own choice.
    let region: Country?
    /// The address of the client.
    let client: String
    /// Whether only the content is wanted.
    let isPart: Bool

    /// - Parameters:
    ///   - target: Path and query, as sent.
    ///   - known: The parameters of the page; others are ignored, since people's addresses get some from elsewhere.
    /// - Throws: ``Problem`` for values that are wrong.
    init(
        target: RequestTarget, headers: HTTPFields, client: String, known: [String] = [], site: Website
    ) throws(Problem) {
        var segments: [String] = []
        for segment in target.segments {
            guard let text = PercentEncoding.decode(segment) else {
                throw Problem(.invalidID, "the path holds malformed percent-encoding")
            }
            segments.append(text)
        }
        let names = known + [RequestedLanguages.parameter, QueryParameters.regionParameter, Self.partParameter]
        // Forms without scripts send their empty fields along.
        let pairs = try target.parameters(plusIsSpace: true).filter { name, value in
            names.contains(name) && !value.isEmpty
                // No link of a page carries the address of another site along.
                && (name != ReturnPath.parameter || ReturnPath(value) != nil)
        }
        let query = try QueryParameters(pairs, known: names, names: names.joined(separator: ", "))
        self.site = site
        self.path = String(target.path)
        self.segments = segments
        // A region that was chosen stays: other pages of a list are of the same country.
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

    /// Of films and people.
    var language: LanguagePreference { self.languages.preference }

    /// Of the interface: Korean, English or Japanese.
    var interface: Language { TextTable.language(for: self.language) }

    /// Texts, dates and numbers in the language of the interface.
    var formats: PageFormats { PageFormats(table: self.site.texts, language: self.interface) }

    var links: PageLinks { PageLinks(language: self.explicitLanguage) }

    /// A parameter; nil without one.
    subscript(name: String) -> String? { self.query[name] }

    func render(_ template: String, _ model: Model) -> Markup {
        self.site.templates.render(template, model, in: self.interface)
    }

    /// The address of this page with other parameters.
    ///
    /// - Parameters:
    ///   - changes: nil leaves a parameter out.
    ///   - links: Say which language it carries; nil for this request's.
    func address(_ changes: [String: String?] = [:], links: PageLinks? = nil) -> String {
        var parameters: [(name: String, value: String?)] = self.parameters.map { name, value in
            (name, changes[name] ?? value)
        }
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if !parameters.contains(where: { $0.name == name }) { parameters.append((name, value)) }
        }
        return (links ?? self.links).url(self.path, parameters)
    }

    /// Where a form on this page leads back to.
    var returnPath: ReturnPath { ReturnPath(self.address()) ?? .home }

    /// The film that the second segment of the path names.
    ///
    /// - Throws: ``Problem`` of the kind `invalid-id`; ``PageRedirection`` for an id in another spelling.
    func movieID() throws -> MovieID {
        let text = self.segments.count > 1 ? self.segments[1] : ""
        guard let id = MovieID(text) else { throw Problem(.invalidID, "the id is no film's") }
        try self.checkSpelling(id.description)
        return id
    }

    /// - Parameter canonical: What the second segment should be.
    /// - Throws: ``PageRedirection`` when it is something else.
    func checkSpelling(_ canonical: String) throws(PageRedirection) {
        guard self.segments.count > 1, self.segments[1] != canonical else { return }
        let rest = self.segments.dropFirst(2).map { "/" + PercentEncoding.encode($0.utf8) }.joined()
        let path = "/\(PercentEncoding.encode(self.segments[0].utf8))/\(canonical)\(rest)"
        throw PageRedirection(to: self.links.url(path, self.parameters.map { ($0.name, $0.value) }))
    }

    /// Reports films that are about to be shown, so that their posters can be rendered ahead.
    func reportServed(_ films: [MovieID]) {
        if !films.isEmpty { self.site.services.listServed?(films, self.language.first, self.path, self.client) }
    }
}

/// The page is at another address, for good unless the status says otherwise.
struct PageRedirection: Error, Hashable, Sendable {
    /// Path and query of this site.
    let location: String
    let status: HTTPResponse.Status

    init(to location: String, status: HTTPResponse.Status = .movedPermanently) {
        self.location = location
        self.status = status
    }
}
