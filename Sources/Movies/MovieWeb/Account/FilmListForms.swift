import Flights
import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /my/favourites/export` and `/my/watchlist/export`; `GET` and `POST /my/import`: lists as files.
struct FilmListForms: Sendable {
    /// The maximal length of a submitted form in bytes.
    static let lengthLimit = 1024 * 1024
    /// How long an import begins further rows.
    static let importDuration = Duration.seconds(20)

    /// The number of imports that the server handles concurrently; further ones are rejected.
    static let concurrentImports = 4

    let site: Website
    let gate: FormGate
    let signUp: DeviceSignUp
    let pages: PersonalPages
    private let imports = WeightedSemaphore(
        WeightedSemaphore.Limits(count: Self.concurrentImports, queue: 0), now: Uptime.nanoseconds)

    init(site: Website, gate: FormGate, signUp: DeviceSignUp, pages: PersonalPages) {
        self.site = site
        self.gate = gate
        self.signUp = signUp
        self.pages = pages
    }

    func register(on router: Router<ServerRequestContext>) {
        for kind in MarkKind.allCases {
            let list = SavedFilmsPage.List(kind)
            self.pages.respond(
                RouterPath("\(list.path)/export"), known: ["format"], on: router
            ) { request, visitor, _, _ in
                try await self.export(list, request, visitor)
            }
        }
        self.pages.get("/my/import", known: ["list"], on: router) { request, visitor in
            let list: SavedFilmsPage.List? = try request.query.choice("list")
            return ImportPage(list: list?.kind ?? .favourite, token: visitor.token).page(request)
        }
        self.gate.post(
            "/my/import", fields: ["list", "text"], lengthLimit: Self.lengthLimit, on: router,
            expired: { form in
                var page = self.page(form)
                page.alarmKey = "errorForm"
                return try await self.response(page, form, form.session, status: .forbidden)
            }
        ) { form in
            let response = try await self.imports.withFreePermit { try await self.importList(form) }
            if let response { return response }
            var page = self.page(form)
            page.alarmKey = "importBusy"
            var busy = try await self.response(page, form, form.session, status: .serviceUnavailable)
            busy.headers[.retryAfter] = String(Self.importDuration.components.seconds)
            return busy
        }
    }

    // MARK: Export

    private func export(
        _ list: SavedFilmsPage.List, _ request: PageRequest, _ visitor: PersonalPages.Visitor
    ) async throws -> Response {
        let file: FilmListFile = try request.query.choice("format") ?? .json
        var films = ExportedFilms.none
        if let session = visitor.session {
            films = try await list.films(in: self.site)?.export(language: request.language, for: session) ?? films
        }
        var response = Response.unstored(
            try file.bytes(of: films, list: list.rawValue, at: self.site.services.now()), type: file.contentType)
        response.headers[.contentDisposition] = "attachment; filename=\"\(file.name(of: list.rawValue))\""
        return response
    }

    // MARK: Import

    private func importList(_ form: FormGate.Form) async throws -> Response {
        try self.signUp.admit(form)
        var page = self.page(form)
        let text = form.body["text"] ?? ""
        guard let rows = FilmListFile.rows(text, list: SavedFilmsPage.List(page.list).rawValue), !rows.rows.isEmpty
        else {
            page.alarmKey = text.allSatisfy(\.isWhitespace) ? "importNothing" : "importUnreadable"
            return try await self.response(page, form, form.session, status: .badRequest)
        }
        let (session, cookie) = try await self.signUp.sessionOfAdmitted(form)
        let end = ContinuousClock.now + Self.importDuration
        let importFilms = ImportFilms(self.site.services.catalogue) { ContinuousClock.now >= end }
        let useCases = self.site.useCases
        page.report = ImportReport(
            results: try await importFilms(
                rows.rows, into: page.list == .favourite ? useCases.favourites : useCases.watchlist,
                language: form.language, for: session),
            omittedCount: rows.omittedCount)
        // Rows without a result are offered again.
        page.text = page.report.map { ImportRows.csv(of: $0.unfinished) } ?? ""
        page.token = self.gate.tokens.token(for: session)
        return try await self.response(page, form, session, cookie: cookie)
    }

    /// The page with the form as it was sent, and a new token.
    private func page(_ form: FormGate.Form) -> ImportPage {
        var page = ImportPage(
            list: form.body["list"] == SavedFilmsPage.List.watchlist.rawValue ? .watchlist : .favourite,
            token: self.gate.tokens.token(for: form.session))
        page.text = form.body["text"] ?? ""
        return page
    }

    private func response(
        _ page: ImportPage, _ form: FormGate.Form, _ session: AuthenticatedSession?,
        status: HTTPResponse.Status = .ok, cookie: String? = nil
    ) async throws -> Response {
        let path = (ReturnPath("/my/import") ?? .home).inLanguage(of: form.returnTo ?? .home)
        let request = try PageRequest(
            target: RequestTarget(path.description), headers: form.request.headers,
            client: form.context.clientAddress.description, site: self.site)
        var rendered = page.page(request)
        rendered.status = status
        var response = try await self.pages.response(rendered, request, session, for: form.request)
        if let cookie { response.headers[.setCookie] = cookie }
        return response
    }
}
