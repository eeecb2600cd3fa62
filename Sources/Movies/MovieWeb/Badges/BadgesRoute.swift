import HTTPServer
import Hummingbird
import MovieHTTP

/// `GET /badges`: a preview of badges, and the visitor's setting; `POST /badges` stores the setting in a cookie.
struct BadgesRoute: Sendable {
    private static let fields: Set<String> = ["badges", "position", "style", "colours", "on"]

    let site: Website
    let gate: FormGate

    func register(on router: Router<ServerRequestContext>, _ pages: PersonalPages) {
        let choices = self.site.pictures.urls.badgeChoices
        pages.get(
            RouterPath(BadgesPage.path), known: BadgeForm.parameters(limit: choices.limit), on: router
        ) { request, visitor in
            try await BadgesPage(request, token: visitor.token).page()
        }
        self.gate.post(RouterPath(BadgesPage.path), fields: Self.fields, on: router) { form in self.store(form) }
    }

    /// Stores the setting without unknown values.
    private func store(_ form: FormGate.Form) -> Response {
        let cookie = BadgeSetting.cookie(form.context, self.site)
        var badges: PictureBadges?
        if form.body["on"] == "1" {
            let sources = (form.body["badges"] ?? "").split(separator: ",").map(String.init)
            badges = self.site.pictures.urls.badgeChoices.badges(
                sources, position: form.body["position"], style: form.body["style"], colours: form.body["colours"])
        }
        let field = badges.map { cookie.setting(BadgeSetting.value(of: $0), for: BadgeSetting.seconds) }
        let page = (ReturnPath(BadgesPage.path) ?? .home).inLanguage(of: form.returnTo ?? .home)
        return FormGate.redirection(to: form.returnTo ?? page, cookies: [field ?? cookie.clearing])
    }
}
