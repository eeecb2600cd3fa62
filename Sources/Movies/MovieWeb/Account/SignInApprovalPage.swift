import HTTPServer
import MovieDomain
import MovieHTTP

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
