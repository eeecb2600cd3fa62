/// A film's title in the languages it is known in.
public struct LocalisedTitle: Hashable, Sendable {
    /// By ISO 639-1 code; never empty.
    public let byLanguage: [String: String]

    /// - Returns: nil when there is no title at all.
    public init?(_ byLanguage: [String: String]) {
        guard byLanguage.values.contains(where: { !$0.isEmpty }) else { return nil }
        self.byLanguage = byLanguage.filter { !$0.value.isEmpty }
    }

    /// The title in `language`, else in English, else in whichever language comes first in the alphabet.
    public func text(in language: String) -> String {
        self.byLanguage[language] ?? self.byLanguage["en"]
            ?? self.byLanguage.min { $0.key < $1.key }!.value
    }
}
