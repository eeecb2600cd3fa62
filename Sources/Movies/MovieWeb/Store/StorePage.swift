import HTTPSemantics
import HTTPTypes
import MovieDomain
import MovieHTTP

/// `GET /store`: the apps of the day, or the results of a search.
struct StorePage: Sendable {
    /// The lifetime of a list in caches, in seconds.
    private static let seconds = 300
    private static let pageSize = AppQuery.defaultLimit
    private static let pageLimit = AppQuery.offsets.upperBound / StorePage.pageSize + 1

    static func register(on pages: PageResponder) {
        pages.get("/store", known: ["q", "page"], lifetime: Self.seconds) { try await StorePage($0).page() }
        pages.get("/store/:id", lifetime: CacheLifetime.daily) { try await AppPage($0).page() }
    }

    private let request: PageRequest

    init(_ request: PageRequest) {
        self.request = request
    }

    func page() async throws -> Page {
        let text = self.request["q"] ?? ""
        return text.allSatisfy(\.isWhitespace) ? try await self.today() : try await self.found(text)
    }

    private func today() async throws -> Page {
        let today = try await self.request.site.services.store.today(language: self.request.language)
        var paint = PagePaint()
        var model: Model = ["heading": self.request.formats("storeTitle")]
        if let featured = today.featured {
            var row = try AppModel(featured, in: self.request).row(&paint)
            row["about"] = featured.description.paragraphs.first
            model["featured"] = row
        }
        model["found"] = try self.list(
            today.list, heading: self.request.formats("storeMore"), more: nil, &paint)
        return self.page(title: self.request.formats("storeTitle"), model, paint)
    }

    /// - Parameter text: Not blank.
    private func found(_ text: String) async throws -> Page {
        let number = try self.request.pageNumber(upTo: Self.pageLimit)
        guard let query = AppQuery(text, offset: (number - 1) * Self.pageSize, limit: Self.pageSize) else {
            throw Problem(
                .invalidParameter, "q must be at most \(AppQuery.maxLength) characters",
                parameter: Problem.Parameter("q"))
        }
        let results = try await SearchApps(store: self.request.site.services.store)(
            query, language: self.request.language)
        // Stores do not state the number of results, so the last page is unknown.
        if results.apps.isEmpty, number > 1, !self.request.isPart {
            throw PageRedirection(to: self.request.address([PageMore.parameter: nil]), status: .found)
        }
        var paint = PagePaint()
        let formats = self.request.formats
        let heading = formats("searchTitleOf", ["query": query.term])
        var model: Model = ["heading": formats("storeTitle"), "query": query.term]
        if results.apps.isEmpty {
            model["empty"] = formats("storeNothing", ["query": query.term])
        } else {
            let address = { (page: Int) in self.request.address(["page": page == 1 ? nil : String(page)]) }
            let more: Model? =
                number > 1 || results.hasMore
                ? [
                    "previousURL": number > 1 ? address(number - 1) : nil,
                    "nextURL": results.hasMore ? address(number + 1) : nil,
                ] : nil
            model["found"] = try self.list(results.apps, heading: heading, more: more, &paint)
        }
        return self.page(title: heading, model, paint)
    }

    private func list(
        _ apps: [StoreApp], heading: String, more: Model?, _ paint: inout PagePaint
    ) throws(Problem) -> Model? {
        guard !apps.isEmpty else { return nil }
        var rows: [Model] = []
        for app in apps { rows.append(try AppModel(app, in: self.request).row(&paint)) }
        return ["heading": heading, "apps": rows, "more": more]
    }

    private func page(title: String, _ model: Model, _ paint: PagePaint) -> Page {
        var model = model
        model["explicitLanguage"] = self.request.explicitLanguage?.code
        var page = Page(title: title, main: self.request.render("store", model), paint: paint)
        page.navigation = .store
        page.needsMoreStyles = true
        page.sources = [self.request.site.services.store.source]
        return page
    }
}
