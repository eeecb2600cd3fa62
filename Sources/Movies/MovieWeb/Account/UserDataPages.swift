import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /my/data` with a link to the export; `GET` and `POST /my/erase`: the confirmation, and the erasure.
struct UserDataPages: Sendable {
    let site: Website
    let gate: FormGate

    func register(on router: Router<ServerRequestContext>, _ pages: PersonalPages) {
        pages.get("/my/data", on: router) { request, visitor in self.data(request, visitor) }
        pages.get("/my/erase", on: router) { request, visitor in self.confirmation(request, visitor) }
        self.gate.post("/my/erase", on: router) { form in try await self.erase(form) }
    }

    private func data(_ request: PageRequest, _ visitor: PersonalPages.Visitor) -> Page {
        let formats = request.formats
        guard let session = visitor.session else { return self.page(formats("mineData"), request, self.none(formats)) }
        return self.page(
            formats("mineData"), request,
            [
                "text": formats("dataWhat"), "elsewhere": self.elsewhere(session, formats),
                "links": ["eraseURL": request.links.erasure] as Model,
            ])
    }

    private func confirmation(_ request: PageRequest, _ visitor: PersonalPages.Visitor) -> Page {
        let formats = request.formats
        guard let session = visitor.session else {
            return self.page(formats("dataEraseTitle"), request, self.none(formats))
        }
        return self.page(
            formats("dataEraseTitle"), request,
            [
                "text": formats("dataEraseWarning"), "elsewhere": self.elsewhere(session, formats),
                "form": [
                    "token": visitor.token, "returnTo": request.returnPath.description,
                    "dataURL": request.links.userData,
                ] as Model,
            ])
    }

    private func erase(_ form: FormGate.Form) async throws -> Response {
        if let session = form.session, let failure = try await self.site.useCases.eraseUserData(session) {
            form.context.logger.noticeOpenSessions(failure)
        }
        return self.gate.over(form, .erased)
    }

    private func none(_ formats: PageFormats) -> Model { ["text": formats("dataNone")] }

    /// A text about the data stored at the account's source; `nil` for devices and temporary accounts.
    private func elsewhere(_ session: AuthenticatedSession, _ formats: PageFormats) -> String? {
        guard let source = session.session.upstream?.source, source != .embedded else { return nil }
        return formats("dataElsewhere", ["source": source.name])
    }

    private func page(_ heading: String, _ request: PageRequest, _ content: Model) -> Page {
        var model = content
        model["heading"] = heading
        var page = Page(title: heading, main: request.render("data", model))
        page.needsMoreStyles = true
        page.caching = EncodedResponse.CachePolicy.none
        return page
    }
}
