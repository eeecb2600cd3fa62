import MovieDomain

/// A language as people write it: `ko`, `ko-KR`, `zh-Hant-TW` (RFC 5646, without what only machines use).
struct LanguageTag {
    /// What is accepted, for people.
    static let forms = "a language such as ko, en or ja-JP"
    /// The longest, in bytes (RFC 5646, 4.4.1).
    private static let maxLength = 35

    let language: Language

    /// - Returns: nil for what is none.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isPart = { (part: Substring.UTF8View) in
            (1...8).contains(part.count)
                && part.allSatisfy { byte in
                    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                }
        }
        guard text.utf8.count <= Self.maxLength, parts.allSatisfy(isPart), let language = Language(text) else {
            return nil
        }
        self.language = language
    }
}
