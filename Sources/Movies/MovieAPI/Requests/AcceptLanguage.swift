import MovieDomain

/// An `Accept-Language` header (RFC 9110, 12.5.4). What cannot be read in it counts as not sent.
struct AcceptLanguage {
    /// The most ranges that are read; browsers send about five.
    private static let rangeLimit = 32

    /// The favourite first, each once; empty when none is named.
    let languages: [Language]

    /// - Parameters:
    ///   - value: The header's lines joined by commas; nil without one.
    ///   - any: What `*` stands for.
    init(_ value: String?, any: Language) {
        var ranked: [(language: Language, weight: Int)] = []
        for range in (value ?? "").split(separator: ",", maxSplits: Self.rangeLimit).prefix(Self.rangeLimit) {
            let parts = range.split(separator: ";").map(\.trimmingBlanks)
            guard let name = parts.first, let language = name == "*" ? any : Self.language(name) else { continue }
            let weight = parts.count > 1 ? Self.weight(parts[1]) : 1000
            if let weight, weight > 0 { ranked.append((language, weight)) }
        }
        // Among equals, the one that is named first.
        let order = ranked.enumerated().sorted { left, right in
            (right.element.weight, left.offset) < (left.element.weight, right.offset)
        }
        var languages: [Language] = []
        for language in order.map(\.element.language) where !languages.contains(language) { languages.append(language) }
        self.languages = languages
    }

    /// - Returns: nil for what is none.
    private static func language(_ tag: Substring) -> Language? {
        LanguageTag(String(tag))?.language
    }

    /// In thousandths; nil for what is no weight.
    private static func weight(_ parameter: Substring) -> Int? {
        let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map(\.trimmingBlanks)
        guard parts.count == 2, parts[0].lowercased() == "q", let weight = Double(String(parts[1])),
            (0...1).contains(weight)
        else { return nil }
        return Int((weight * 1000).rounded())
    }
}
