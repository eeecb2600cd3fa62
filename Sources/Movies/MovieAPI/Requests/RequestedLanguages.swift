import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import PosterAPI

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
        if let named = try Self.named(in: query) {
            self.preference = LanguagePreference([named])
            self.isNegotiated = false
        } else {
            let accepted = AcceptLanguage(headers.combined(.acceptLanguage), any: own).languages
            self.preference = LanguagePreference(accepted.isEmpty ? [own] : accepted)
            self.isNegotiated = true
        }
    }

    /// - Returns: nil where the parameter is not there.
    /// - Throws: ``Problem``, when it is no language.
    static func named(in query: FilmQuery) throws(Problem) -> Language? {
        try query.value(Self.parameter, accepted: LanguageTag.forms) { LanguageTag($0)?.language }
    }

    /// What an answer in these languages depends on.
    var variance: JSONAnswer.Variance { self.isNegotiated ? .language : [] }
}
