/// The store of a country, by ISO 3166-1 alpha-2.
public struct ITunesCountry: Hashable, Sendable, LosslessStringConvertible {
    /// What is accepted, for people.
    public static let form = "two letters (ISO 3166-1), such as KR"

    /// `KR`
    public static let korea = ITunesCountry(code: "KR")

    /// Two capital letters.
    public let description: String

    private init(code: String) { self.description = code }

    /// Reads a code in capital or small letters.
    ///
    /// - Returns: nil for what is none.
    public init?(_ description: String) {
        guard description.utf8.count == 2, description.utf8.allSatisfy({ (97...122).contains($0 | 32) }) else {
            return nil
        }
        self.init(code: description.uppercased())
    }
}
