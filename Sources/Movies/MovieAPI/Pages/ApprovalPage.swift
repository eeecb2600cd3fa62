import HTTPSemantics
import MovieDomain

/// The page on which a user approves of a wish: plain, without scripts.
struct ApprovalPage {
    /// nil when there is no such wish.
    let approval: Approval?
    let token: String
    let texts: ApprovalTexts

    private static let style = """
        :root { color-scheme: light dark; --ink: #1c1b1a; --quiet: #6d6a65; --paper: #f4f1ea; --line: #8886; }
        @media (prefers-color-scheme: dark) { :root { --ink: #eeeae2; --quiet: #99948b; --paper: #161514; } }
        * { box-sizing: border-box; margin: 0; }
        body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
               padding: clamp(1.5rem, 10vh, 6rem) 1.5rem; max-width: 34rem; margin: auto; }
        h1 { font-size: 1.9rem; letter-spacing: -.02em; margin-bottom: 1rem; }
        p { margin-bottom: 1rem; }
        code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; }
        .quiet { color: var(--quiet); }
        button { font: inherit; padding: .6rem 1.4rem; margin: .5rem .6rem 1rem 0; border: 1px solid var(--line);
                 border-radius: 6px; background: transparent; color: inherit; cursor: pointer; }
        button[name=approve] { background: var(--ink); color: var(--paper); }
        :focus-visible { outline: 3px solid; outline-offset: 3px; }
        """

    private var address: RedirectURI? { self.approval?.returnTo.flatMap(RedirectURI.init) }

    /// What a browser is to load for it (CSP): the style sheet with these bytes; and where its form may lead, which browsers
    /// count the answer's redirect among.
    var contentSecurityPolicy: String {
        guard self.approval?.state == .open else { return StyledPage.policy(style: Self.style) }
        let target = "'self'" + (self.address.map { " " + $0.policySource } ?? "")
        return StyledPage.policy(style: Self.style, formTarget: target)
    }

    /// Where the page leads when something was said, as The Movie Database writes it.
    static func returnURL(_ address: RedirectURI, _ state: Approval.State, token: String) -> String {
        address.adding([
            ("request_token", PercentEncoding.encode(token.utf8)), (state == .approved ? "approved" : "denied", "true"),
        ])
    }

    var html: String {
        StyledPage(
            language: self.texts.language, title: "\(self.title) – OneSheet", style: Self.style,
            body: "<main>\n<h1>\(self.title)</h1>\n\(self.content)\n</main>"
        ).html
    }

    private var title: String {
        switch self.approval?.state {
        case nil: self.texts.late
        case .open?: self.texts.question
        case .approved?: self.texts.approved
        case .denied?: self.texts.denied
        }
    }

    private var content: String {
        guard let approval else {
            return "<p>\(self.texts.isLate)</p>"
        }
        switch approval.state {
        case .open:
            let leads = self.address.map {
                "<p class=\"quiet\">\(Self.sentence(self.texts.leads, of: $0))</p>"
            }
            return """
                <p>\(self.texts.wish)</p>
                <p>\(self.texts.guest)</p>
                <form method="post">
                <button name="approve" value="1">\(self.texts.approve)</button>
                <button name="deny" value="1">\(self.texts.deny)</button>
                </form>
                \(leads ?? "")
                """
        case .approved: return "<p>\(self.texts.isApproved)</p>" + self.wayBack(.approved)
        case .denied: return "<p>\(self.texts.isDenied)</p>" + self.wayBack(.denied)
        }
    }

    private func wayBack(_ state: Approval.State) -> String {
        guard let address else { return "\n<p>\(self.texts.isAllThereIs)</p>" }
        let url = Self.returnURL(address, state, token: self.token)
        return "\n<p><a href=\"\(HTMLText.escape(url))\">\(Self.sentence(self.texts.back, of: address))</a></p>"
    }

    private static func sentence(_ text: String, of address: RedirectURI) -> String {
        text.split(separator: "%", omittingEmptySubsequences: false).joined(
            separator: "<code>\(Self.name(of: address))</code>")
    }

    private static func name(of address: RedirectURI) -> String {
        HTMLText.escape(address.authority ?? "\(address.scheme):")
    }
}

extension RedirectURI {
    /// As a policy names it (CSP, source expression): a scheme where the host cannot be written, which goes for addresses of IPv6.
    var policySource: String {
        guard let authority = self.authority, !authority.contains("["), !authority.contains("_") else {
            return "\(self.scheme):"
        }
        return "\(self.scheme)://\(authority)"
    }
}
