package import HTTPSemantics
package import HTTPServer
package import HTTPTypes
package import MovieDomain

/// The client's languages: the parameter `language`, else `Accept-Language`, else the service's default.
package struct RequestedLanguages: Hashable, Sendable {
    package static let parameter = "language"

    package let preference: LanguagePreference
    /// `Accept-Language`, unless the parameter decides.
    package let variance: EncodedResponse.Variance

    /// - Throws: ``Problem`` if the parameter is no language.
    package init(_ query: QueryParameters, headers: HTTPFields, default own: Language) throws(Problem) {
        if let named = try query.language() {
            self.preference = LanguagePreference([named])
            self.variance = []
        } else {
            let accepted = AcceptLanguage(headers.combined(.acceptLanguage), any: own).languages
            self.preference = LanguagePreference(accepted.isEmpty ? [own] : accepted)
            self.variance = .language
        }
    }
}

/// An `Accept-Language` header (RFC 9110, 12.5.4). Malformed ranges are ignored.
package struct AcceptLanguage {
    /// The number of ranges read; browsers send about five.
    private static let rangeLimit = 32

    /// In order of preference, without duplicates; empty if the header names none.
    package let languages: [Language]

    /// - Parameters:
    ///   - value: The header's lines joined by commas; `nil` without the header.
    ///   - any: The language for `*`.
    package init(_ value: String?, any: Language) {
        var ranked: [(language: Language, weight: Int)] = []
        let ranges = FieldSyntax.parts(of: value ?? "", at: ",", maxSplits: Self.rangeLimit)
        for range in ranges.prefix(Self.rangeLimit) {
            let parts = range.split(separator: ";").map(\.trimmingBlanks)
            guard let name = parts.first, let language = name == "*" ? any : Language(tag: String(name)) else {
                continue
            }
            let weight = parts.count > 1 ? Self.weight(parts[1]) : 1000
            if let weight, weight > 0 { ranked.append((language, weight)) }
        }
        // Ranges of equal weight keep the header's order.
        let order = ranked.enumerated().sorted { left, right in
            (right.element.weight, left.offset) < (left.element.weight, right.offset)
        }
        var languages: [Language] = []
        for language in order.map(\.element.language) where !languages.contains(language) { languages.append(language) }
        self.languages = languages
    }

    /// In thousandths; `nil` if malformed.
    private static func weight(_ parameter: Substring) -> Int? {
        let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map(\.trimmingBlanks)
        guard parts.count == 2, parts[0].lowercased() == "q", let weight = Double(String(parts[1])),
            (0...1).contains(weight)
        else { return nil }
        return Int((weight * 1000).rounded())
    }
}

extension Language {
    /// The longest tag, in bytes (RFC 5646, 4.4.1).
    private static let maxTagLength = 35

    /// A language tag in everyday form: `ko`, `ko-KR`, `zh-Hant-TW` (RFC 5646).
    ///
    /// - Returns: `nil` if the tag is malformed or too long.
    package init?(tag: String) {
        let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isPart = { (part: Substring.UTF8View) in
            (1...8).contains(part.count)
                && part.allSatisfy { byte in
                    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                }
        }
        guard tag.utf8.count <= Self.maxTagLength, parts.allSatisfy(isPart) else { return nil }
        self.init(tag)
    }
}
