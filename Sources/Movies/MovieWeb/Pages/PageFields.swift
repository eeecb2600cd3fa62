import HTTPSemantics
import HTTPTypes
import MovieDomain

/// The header fields of pages, in addition to every response's.
enum PageFields {
    private static let permissions =
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"

    /// - Parameters:
    ///   - hints: Client hints that affect pictures; `nil` for none.
    ///   - speculation: The address of the speculation rules; `nil` for none.
    ///   - isIndexable: Whether search engines may list the response.
    static func make(
        policy: String, language: Language, hints: String? = nil, speculation: String? = nil, isIndexable: Bool = true
    ) -> HTTPFields {
        var fields: HTTPFields = [
            .contentSecurityPolicy: policy, .frameOptions: "DENY", .contentLanguage: language.code,
            // With "no-referrer", browsers send "Origin: null" with this site's own forms.
            .referrerPolicy: "same-origin", .openerPolicy: "same-origin", .crossOriginResourcePolicy: "same-origin",
            .permissionsPolicy: Self.permissions,
        ]
        fields[.acceptCH] = hints
        fields[.speculationRules] = speculation.map { "\"\($0)\"" }
        if !isIndexable { fields[.robotsTag] = "noindex" }
        return fields
    }
}

extension HTTPField.Name {
    static let openerPolicy = Self("Cross-Origin-Opener-Policy")!
    static let permissionsPolicy = Self("Permissions-Policy")!
    /// A structured string: the address of speculation rules (HTML, speculative loading).
    static let speculationRules = Self("Speculation-Rules")!
    static let robotsTag = Self("X-Robots-Tag")!
}
