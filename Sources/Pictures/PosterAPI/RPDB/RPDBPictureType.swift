import HTTPSemantics

/// A type of picture, as paths name it: `poster-default`, `textless-order-imdb-rt`, `rating-order`, `backdrop-default`,
/// `logo-default`.
struct RPDBPictureType: Hashable, Sendable {
    /// The accepted types, for error messages.
    static let forms =
        "poster-, textless-, rating-, backdrop- or logo- and default; posters also with rt, mc, certs, or order"
    /// Longest type in bytes.
    private static let lengthLimit = 256

    let kind: RPDBPictureKind
    /// The scores that the type names, in order; empty for the key's own.
    let sources: [BadgeSource]

    /// Clients' words for sources, beside the sources' own names.
    private static let words: [Substring: BadgeSource] = [
        "tomatoes": .rt, "rottentomatoes": .rt, "rtcritics": .rt, "audience": .popcorn, "rtaudience": .popcorn,
        "mc": .metacritic, "lb": .letterboxd, "myanimelist": .mal, "tomatoes-critics": .rt,
        "tomatoes-audience": .popcorn, "metacritic-critics": .metacritic,
    ]
    /// A poster in RPDB's newer types.
    private static let rating: Substring = "rating"

    /// - Parameters:
    ///   - text: A path segment; unknown words of an order, and other words, are ignored.
    ///   - order: The sources of an order that names none itself, separated by commas.
    /// - Returns: `nil` unless it names a kind of picture.
    init?(_ text: Substring, order: String? = nil) {
        guard text.utf8.count <= Self.lengthLimit else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 2,
            let kind = parts[0] == Self.rating ? .poster : RPDBPictureKind(rawValue: String(parts[0])),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isAlphanumeric) })
        else { return nil }
        self.kind = kind
        switch parts[1] {
        case "order":
            let listed = order?.prefix(Self.lengthLimit).split(separator: ",") ?? []
            self.sources = Self.sources(parts.count > 2 ? Array(parts.dropFirst(2)) : listed)
        case "rt": self.sources = [.imdb, .rt, .popcorn]
        case "mc": self.sources = [.imdb, .metacritic]
        default: self.sources = []
        }
    }

    private static func sources(_ words: [Substring]) -> [BadgeSource] {
        var sources: [BadgeSource] = []
        for word in words {
            let word = Substring(word.lowercased()).trimmingPrefix { $0 == " " }
            guard let source = BadgeSource(rawValue: String(word)) ?? Self.words[word],
                !sources.contains(source), sources.count < BadgeRequest.sourceLimit
            else { continue }
            sources.append(source)
        }
        return sources
    }
}

package enum RPDBPictureKind: String, Hashable, Sendable, CaseIterable {
    case poster
    /// A poster without text, else one with text.
    case textless
    case backdrop
    /// The drawn title, without background.
    case logo

    /// Whether scores are drawn.
    var hasBadges: Bool { self == .poster || self == .textless }
}
