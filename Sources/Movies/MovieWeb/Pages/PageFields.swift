import HTTPSemantics
import HTTPTypes
import MovieDomain

/// The header fields of pages beside those of every response.
enum PageFields {
    private static let permissions =
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"

    /// - Parameters:
    ///   - policy: The content security policy.
    ///   - hints: Client hints that change pictures; nil for none.
    ///   - speculation: The address of the rules for fetching pages ahead; nil for none.
    ///   - isPart: Whether it is a part of a page, which search engines leave out.
    static func make(
        policy: String, language: Language, hints: String? = nil, speculation: String? = nil, isPart: Bool = false
    ) -> HTTPFields {
        var fields: HTTPFields = [
            .contentSecurityPolicy: policy, .frameOptions: "DENY", .contentLanguage: language.code,
            // With "no-referrer", browsers send "Origin: null" with our own forms.
            .referrerPolicy: "same-origin", .openerPolicy: "same-origin", .crossOriginResourcePolicy: "same-origin",
            .permissionsPolicy: Self.permissions,
        ]
        fields[.acceptCH] = hints
        fields[.speculationRules] = speculation.map { "\"\($0)\"" }
        if isPart { fields[.robotsTag] = "noindex" }
        return fields
    }
}

extension HTTPField.Name {
    static let openerPolicy = Self("Cross-Origin-Opener-Policy")!
    static let permissionsPolicy = Self("Permissions-Policy")!
    /// A structured string: the address of rules (HTML, speculative loading).
    static let speculationRules = Self("Speculation-Rules")!
    static let robotsTag = Self("X-Robots-Tag")!
}
