import MovieDomain
import MovieHTTP

/// `GET /about`: the data's sources and terms; and `GET /offline`, which browsers store to show it without a network.
struct AboutPage: Sendable {
    private static let licence = "Apache License 2.0"

    /// - Parameter version: The program's version; `nil` shows none.
    static func register(on responder: PageResponder, version: String?) {
        responder.get("/about", lifetime: CacheLifetime.daily) { request in
            AboutPage(request, version: version).page()
        }
        responder.get("/offline", lifetime: CacheLifetime.daily) { request in
            Page(title: request.formats("offlineTitle"), main: request.render("offline", [:]))
        }
    }

    private let request: PageRequest
    private let version: String?

    init(_ request: PageRequest, version: String?) {
        self.request = request
        self.version = version
    }

    func page() -> Page {
        let formats = self.request.formats
        return Page(
            title: formats("aboutTitle"),
            main: self.request.render(
                "about",
                [
                    "version": self.version.map { formats("aboutVersion", ["version": $0]) },
                    "sources": MovieSource.allCases.map(self.model), "licence": Self.licence,
                ]))
    }

    private func model(of source: MovieSource) -> Model {
        let formats = self.request.formats
        guard self.request.site.services.sources.options[source] == nil else {
            return ["name": source.name, "state": formats("aboutSourceOff"), "attribution": nil]
        }
        let attribution: Model? =
            if source == .embedded {
                ["text": formats("filmAttributionInvented"), "lang": formats.language.code]
            } else {
                source.attribution.map { ["text": $0, "lang": Self.language(of: $0).code] }
            }
        return ["name": source.name, "state": formats("aboutSourceOn"), "attribution": attribution]
    }

    /// The language in which the owner requests the attribution.
    private static func language(of attribution: String) -> Language {
        attribution.unicodeScalars.contains { ("가"..."힣").contains($0) } ? .korean : .english
    }
}
