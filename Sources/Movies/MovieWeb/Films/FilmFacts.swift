import MovieDomain
import MovieHTTP

/// The table of facts on a film's page, without the facts at the top of the page.
struct FilmFacts: Sendable {
    private static let shownNames: Set<InformationName> = [.directors, .runtime, .certificate]
    private static let keywordLimit = 20

    private let details: MovieDetails
    private let request: PageRequest

    init(_ details: MovieDetails, _ request: PageRequest) {
        self.details = details
        self.request = request
    }

    private var movie: Movie { self.details.movie }
    private var formats: PageFormats { self.request.formats }

    var model: Model? {
        let rows = self.sourceFacts + [self.release, self.collection, self.keywords].compactMap(\.self)
        return rows.isEmpty ? nil : ["rows": rows]
    }

    /// The facts of the API's resources, with dates and links formatted for the page.
    private var sourceFacts: [Model] {
        let sections = self.movie.sections(in: self.formats.preference)
        let items = sections.compactMap { if case .information(let items) = $0 { items } else { nil } }.joined()
        return items.filter { !Self.shownNames.contains($0.name) }.map { item in
            var value = Markup(item.value)
            var lang: String?
            switch item.name {
            case .originalTitle: lang = self.movie.summary.originalLanguage?.code
            case .releaseDate:
                if let date = CalendarDate(item.value) { value = Markup(self.formats.long(date)) }
            default:
                if let url = OuterLink(item.value)?.description {
                    value = Markup.outerLink(Self.shortened(item.value), to: url)
                }
            }
            return ["label": item.name.label(in: self.formats.preference), "valueHTML": value, "lang": lang]
        }
    }

    /// The release in the reader's country.
    private var release: Model? {
        guard let region = self.request.region, let release = self.movie.release(in: region), let date = release.date
        else { return nil }
        return [
            "label": self.formats("filmRegionalRelease", ["country": region.name(in: self.formats.preference)]),
            "valueHTML": Markup(self.formats.long(date)),
        ]
    }

    private var collection: Model? {
        self.movie.collection.map { collection in
            [
                "label": self.formats("filmCollection"),
                "valueHTML": Markup.link(collection.name, to: self.request.links.url("/series/\(collection.id)")),
            ]
        }
    }

    /// The keywords; links if the catalogue can filter by keyword.
    private var keywords: Model? {
        let known = self.request.site.services.catalogue.filters.contains(.keyword)
        let words = self.movie.keywords.prefix(Self.keywordLimit).map { keyword in
            guard known, let id = keyword.id else { return Markup(keyword.name) }
            return Markup.link(
                keyword.name, to: self.request.links.url("/discover", [("keyword", id)]))
        }
        guard !words.isEmpty else { return nil }
        return ["label": self.formats("filmKeywords"), "valueHTML": words.joined(separator: ", ")]
    }

    /// A URL without scheme, `www.` and trailing slash.
    private static func shortened(_ url: String) -> String {
        let host = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let bare = host.hasPrefix("www.") ? host.dropFirst(4) : host
        return String(bare.hasSuffix("/") ? bare.dropLast() : bare)
    }
}
