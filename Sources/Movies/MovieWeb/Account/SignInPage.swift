import HTTPServer
import MovieDomain
import MovieHTTP

/// `GET /sign-in`: explains the sign-in, and has a button to start it.
struct SignInPage: Sendable {
    let site: Website

    func page(_ request: PageRequest, _ visitor: PersonalPages.Visitor) -> Page {
        let formats = request.formats
        let accounts = self.site.services.accounts
        let note = visitor.once[SignInNote.parameter].flatMap(SignInNote.init)
        let returnTo =
            request["return"].flatMap(ReturnPath.init) ?? ReturnPath.savedFilms.inLanguage(of: request.returnPath)
        let noteModel = note.map { ["isAlarm": $0.isAlarm, "text": formats($0.key)] as Model }
        let main = request.render(
            "sign-in",
            [
                "note": noteModel, "why": formats(accounts.isTemporary ? "signInGuestWhy" : "signInWhy"),
                "action": "/sign-in", "token": visitor.token, "returnTo": returnTo.description,
                "label": accounts.isTemporary
                    ? formats("signInStart") : formats("signInAt", ["source": accounts.source.name]),
            ])
        var page = Page(title: formats("signInTitle"), main: main)
        // Browsers apply the policy's form targets to the redirection that follows the form as well.
        page.needs.formOrigin = accounts.approvalOrigin ?? self.site.pictureOrigin
        page.needsMoreStyles = true
        page.caching = EncodedResponse.CachePolicy.none
        return page
    }
}

/// `GET /sign-in/approve`: the approval of a sign-in that this browser has begun on this site.
struct SignInApprovalPage: Sendable {
    static let path = "/sign-in/approve"

    let site: Website
    let approvals: any ApprovalHandler

    /// - Returns: The sign-in page with a note if the browser has no open sign-in.
    func page(_ request: PageRequest, _ visitor: PersonalPages.Visitor) async throws -> Page {
        guard let pending = visitor.pending, try await self.approvals.approval(of: pending.token)?.state == .open else {
            var visitor = visitor
            visitor.once[SignInNote.parameter] = SignInNote.late.rawValue
            return SignInPage(site: self.site).page(request, visitor)
        }
        let formats = request.formats
        let main = request.render(
            "approval",
            [
                "heading": formats("approveTitle"), "why": formats("signInGuestWhy"),
                "terms": formats("guestTerms"), "action": Self.path, "token": visitor.token,
                "returnTo": pending.returnTo.description,
            ])
        var page = Page(title: formats("signInTitle"), main: main)
        page.needsMoreStyles = true
        page.caching = EncodedResponse.CachePolicy.none
        return page
    }
}
