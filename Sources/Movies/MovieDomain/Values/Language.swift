/// A language by its ISO 639-1 code, such as `ko`.
public struct Language: Hashable, Sendable, CustomStringConvertible {
    /// Two or three lower-case letters.
    public let code: String

    /// Reads the language of a tag such as `ko`, `ko-KR` or `pt_BR` (RFC 5646); what follows it does not count.
    ///
    /// - Returns: nil for what is none.
    public init?(_ tag: some StringProtocol) {
        let code = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        guard (2...3).contains(code.utf8.count), code.utf8.allSatisfy({ (97...122).contains($0) }) else { return nil }
        self.code = code
    }

    private init(code: String) { self.code = code }

    /// `ko`
    public static let korean = Language(code: "ko")
    /// `en`
    public static let english = Language(code: "en")

    /// The code.
    public var description: String { self.code }
}
