package import HTTPSemantics
package import MovieDomain

extension QueryParameters {
    /// The default limit of `page`.
    package static let pageLimit = 500
    package static let regionParameter = "region"

    package func language() throws(Problem) -> Language? {
        try self.value(RequestedLanguages.parameter, accepted: "a language such as ko, en or ja-JP") {
            Language(tag: $0)
        }
    }

    package func region() throws(Problem) -> Country? { try self.country(Self.regionParameter) }

    /// - Returns: `nil` if the parameter is absent.
    package func country(_ name: String) throws(Problem) -> Country? {
        try self.value(name, accepted: "an ISO 3166-1 code such as KR") { Country(code: $0) }
    }

    /// `page`; 1 if the parameter is absent.
    package func page(upTo limit: Int = Self.pageLimit) throws(Problem) -> Int {
        try self.number("page", in: 1...max(1, limit)) ?? 1
    }

    /// - Returns: `nil` if the parameter is absent.
    package func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        let accepted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return try self.value(name, accepted: accepted) { text in
            Self.number(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}
