import HTTPTypes
import MovieDomain

/// What the caller reads, and how that is known.
struct RequestedLanguages: Hashable, Sendable {
    /// The parameter that says it.
    static let parameter = "language"

    let preference: LanguagePreference
    /// Whether `Accept-Language` would have made a difference.
    let isNegotiated: Bool

    /// The parameter `language`, else `Accept-Language`, else the service's own.
    ///
    /// - Throws: ``Problem``, when the parameter is no language.
    init(_ query: FilmQuery, headers: HTTPFields, default own: Language) throws(Problem) {
        let named = try query.value(Self.parameter, accepted: LanguageTag.forms) { LanguageTag($0)?.language }
        if let named {
            self.preference = LanguagePreference([named])
            self.isNegotiated = false
        } else {
            let accepted = AcceptLanguage(headers.combined(.acceptLanguage), any: own).languages
            self.preference = LanguagePreference(accepted.isEmpty ? [own] : accepted)
            self.isNegotiated = true
        }
    }

    /// What an answer in these languages depends on.
    var variance: JSONAnswer.Variance { self.isNegotiated ? .language : [] }
}
