/// A content coding that compresses bodies (RFC 9110, 8.4.1). The raw value is its name in fields.
package enum ContentCoding: String, CaseIterable, Hashable, Sendable {
    /// RFC 7932.
    case brotli = "br"
    /// RFC 1952.
    case gzip
}

/// A parsed `Accept-Encoding` header (RFC 9110, 12.5.3), which selects the coding of a response.
package struct AcceptEncoding: Sendable {
    /// The maximum number of codings parsed; browsers send about four.
    private static let codingLimit = 16

    // Weights in thousandths; `nil` for codings that the header does not list.
    private var brotli: Int?
    private var gzip: Int?
    private var identity: Int?
    /// The weight of `*`: of all codings that are not listed.
    private var others: Int?

    /// - Parameter value: The header's lines joined by commas; `nil` without the header.
    package init(_ value: String?) {
        guard let value else { return }
        for item in FieldSyntax.parts(of: value, at: ",", maxSplits: Self.codingLimit).prefix(Self.codingLimit) {
            let parts = item.split(separator: ";", omittingEmptySubsequences: false)
                .map { $0.trimmingBlanks.lowercased() }
            let weight = parts.dropFirst().lazy.compactMap(Self.weight).first ?? 1000
            switch parts.first {
            case "br": self.brotli = max(weight, self.brotli ?? 0)
            case "gzip", "x-gzip": self.gzip = max(weight, self.gzip ?? 0)
            case "identity": self.identity = max(weight, self.identity ?? 0)
            case "*": self.others = max(weight, self.others ?? 0)
            default: break
            }
        }
    }

    /// The coding with the greatest weight; brotli if both have the same. `nil` if neither is acceptable, if the client
    /// prefers `identity`, or without the header. Also `nil` if no coding is acceptable, not even `identity`: the RFC
    /// lets a server disregard the header, and a body is better than an error.
    package var coding: ContentCoding? {
        let brotli = self.brotli ?? self.others ?? 0
        let gzip = self.gzip ?? self.others ?? 0
        let weight = max(brotli, gzip)
        guard weight > 0, weight >= self.identity ?? 0 else { return nil }
        return brotli == weight ? .brotli : .gzip
    }

    /// The weight of `q=0.8` in thousandths; `nil` for other parameters and malformed ones.
    private static func weight(_ parameter: String) -> Int? {
        let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2, pair[0].trimmingBlanks == "q" else { return nil }
        let digits = pair[1].trimmingBlanks.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = digits.count > 1 ? digits[1] : ""
        guard let whole = digits.first, whole == "0" || whole == "1", fraction.utf8.count <= 3,
            fraction.utf8.allSatisfy(\.isDigit)
        else { return nil }
        return whole == "1" ? 1000 : Int((fraction + "000").prefix(3))
    }
}
