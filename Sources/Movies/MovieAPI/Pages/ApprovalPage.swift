import HTTPSemantics
import MovieDomain
import MovieHTTP

/// The page on which a user approves a client's access: plain, without scripts.
struct ApprovalPage {
    /// `nil` if the request token is unknown.
    let approval: Approval?
    let token: String
    let texts: ApprovalTexts
    /// `light` or `dark`, as chosen on the web pages; `nil` for the system's.
    var theme: String?

    private static let style = """
        :root { color-scheme: light dark; --paper: light-dark(#f4f1ea, #161514); --sheet: light-dark(#fbf9f5, #211f1c);
                --ink: light-dark(#1c1b1a, #ede9e1); --quiet: light-dark(#625e57, #a59f95); --line: light-dark(#d9d3c7, #37332e); }
        [data-theme=light] { color-scheme: light; }
        [data-theme=dark] { color-scheme: dark; }
        @media (prefers-contrast: more) { :root { --quiet: var(--ink); --line: var(--ink); } }
        * { box-sizing: border-box; margin: 0; }
        body { background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
               font: 100%/1.55 Pretendard, Inter, system-ui, "Segoe UI", Roboto, "Apple SD Gothic Neo", "Noto Sans KR",
                     "Noto Sans CJK KR", "Malgun Gothic", sans-serif;
               padding: clamp(1rem, 10vh, 6rem) clamp(1rem, 4vw, 3rem); }
        :lang(ko) { word-break: keep-all; }
        :lang(ja) { font-family: Inter, system-ui, "Segoe UI", Roboto, "Hiragino Sans", "Noto Sans JP", "Noto Sans CJK JP",
                    "Yu Gothic UI", Meiryo, sans-serif; word-break: auto-phrase; line-break: strict; }
        main { max-width: 36rem; margin: auto; background: var(--sheet); border: 1px solid var(--line);
               padding: clamp(1.25rem, 4vw, 2.5rem); display: grid; gap: 1rem; }
        h1 { font-size: clamp(1.5rem, 1.2rem + 1.6vw, 2.1rem); line-height: 1.2; font-weight: 750; text-wrap: balance; }
        code { font: .92em ui-monospace, monospace; }
        .quiet { color: var(--quiet); }
        form { display: flex; flex-wrap: wrap; gap: .625rem; }
        button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.125rem;
                 border: 1.5px solid currentColor; border-radius: 2px; background: transparent; color: inherit; cursor: pointer; }
        button[name=approve] { background: var(--ink); color: var(--paper); border-color: var(--ink); }
        a { color: inherit; text-underline-offset: .2em; }
        :focus-visible { outline: 3px solid; outline-offset: 3px; }
        @media (forced-colors: active) { main, button { border-color: CanvasText; } }
        """

    private var address: RedirectURI? { self.approval?.returnTo.flatMap(RedirectURI.init) }

    /// The content security policy: allows the page's style sheet, and the form's target. Browsers apply the latter to
    /// the redirection that follows the form as well.
    var contentSecurityPolicy: String {
        guard self.approval?.state == .open else { return StyledPage.policy(style: Self.style) }
        let target = "'self'" + (self.address.map { " " + $0.policySource } ?? "")
        return StyledPage.policy(style: Self.style, formTarget: target)
    }

    /// The page's target after a decision, with The Movie Database's parameters.
    static func returnURL(_ address: RedirectURI, _ state: Approval.State, token: String) -> String {
        address.adding([
            ("request_token", PercentEncoding.encode(token.utf8)), (state == .approved ? "approved" : "denied", "true"),
        ])
    }

    var html: String {
        StyledPage(
            language: self.texts.language, theme: self.theme, title: "\(self.title) – OneSheet", style: Self.style,
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
    /// The source expression for a policy (CSP). Only the scheme if the host cannot be written, as for IPv6 addresses.
    var policySource: String {
        guard let authority = self.authority, !authority.contains("["), !authority.contains("_") else {
            return "\(self.scheme):"
        }
        return "\(self.scheme)://\(authority)"
    }
}
