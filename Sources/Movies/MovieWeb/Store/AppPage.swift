import HTTPSemantics
import MovieDomain
import MovieHTTP

/// `GET /store/{id}`: an app by sections.
struct AppPage: Sendable {
    private let request: PageRequest

    init(_ request: PageRequest) {
        self.request = request
    }

    func page() async throws -> Page {
        guard self.request.segments.count > 1, let id = StoreAppID(self.request.segments[1]) else {
            throw Problem(
                .invalidID,
                "the id is not an app id; it must be like itunes:361309726, or a name in the embedded store")
        }
        try self.request.checkSpelling(id.description)
        let services = self.request.site.services
        let show = ShowApp(store: services.store, off: services.sources.options)
        let (app, sections) = try await show(id, language: self.request.language)
        return try self.page(of: app, sections)
    }

    private func page(of app: StoreApp, _ sections: [DetailSection]) throws(Problem) -> Page {
        var paint = PagePaint()
        let shown = AppModel(app, in: self.request)
        var model: Model = [
            "name": app.name, "meta": shown.meta, "price": app.priceLabel(in: self.request.language),
            "icon": try shown.icon(&paint), "storeURL": app.url.flatMap { OuterLink($0) }?.description,
        ]
        var texts: [Model] = []
        for section in sections {
            switch section {
            case .summary(let items):
                let rows = items.compactMap(Self.summaryRow)
                model["summary"] = rows.isEmpty ? nil : ["rows": rows] as Model
            case .gallery: model["screenshots"] = ["rows": try shown.screenshots(&paint)] as Model
            case .description(let text): texts.append(self.text("description", "storeDescription", text))
            case .releaseNotes(let version, let notes):
                var text = self.text("notes", "storeReleaseNotes", notes)
                if !version.isEmpty { text["note"] = self.request.formats("storeVersion", ["version": version]) }
                texts.append(text)
            case .information(let items): model["information"] = ["rows": items.map(self.fact)] as Model
            // The name is at the top of the page; the other sections belong to films.
            case .top, .videos, .cast, .reviews: break
            }
        }
        model["texts"] = texts
        paint.accent = try shown.colour().flatMap { SRGBColour($0) }.map { AccentColours($0) }
        var page = Page(title: app.name, main: self.request.render("app", model), paint: paint)
        page.navigation = .store
        page.needsMoreStyles = true
        page.description = app.description.paragraphs.first
        page.sources = [app.id.source]
        return page
    }

    /// `nil` for an item without labels.
    private static func summaryRow(_ item: SummaryItem) -> Model? {
        guard !(item.middleLabel + item.bottomLabel).isEmpty else { return nil }
        return ["top": item.topLabel, "middle": item.middleLabel, "bottom": item.bottomLabel]
    }

    private func fact(_ item: InformationItem) -> Model {
        ["label": item.name.label(in: self.request.language), "value": item.value]
    }

    private func text(_ id: String, _ key: String, _ text: String) -> Model {
        ["id": id, "heading": self.request.formats(key), "paragraphs": text.paragraphs]
    }
}
