/// The written form of ids: `source:key`; a key without a source belongs to the embedded catalogue.
struct SourceKey: Hashable, Sendable, CustomStringConvertible {
    /// The maximal length of a source's name in bytes.
    private static let nameLimit = 32

    let source: MovieSource
    let key: String

    init(_ source: MovieSource, _ key: String) {
        self.source = source
        self.key = key
    }

    /// - Returns: `nil` if the source is unknown.
    init?(_ description: String) {
        // By bytes, and without long names: Swift compares texts in time quadratic in the number of combining marks.
        guard let colon = description.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            self.init(.embedded, description)
            return
        }
        let name = description[..<colon]
        guard name.utf8.count <= Self.nameLimit, let source = MovieSource(rawValue: String(name)) else { return nil }
        self.init(source, String(description[description.utf8.index(after: colon)...]))
    }

    var description: String { self.source == .embedded ? self.key : "\(self.source.rawValue):\(self.key)" }

    /// Whether the key is a number of at most 18 digits, without leading zeros, so that ids are unique.
    var isNumber: Bool {
        (1...18).contains(self.key.utf8.count) && self.key.utf8.first != 48
            && self.key.utf8.allSatisfy { (48...57).contains($0) }
    }

    /// Whether the key is 1 to 64 lower-case letters, digits and hyphens.
    var isSlug: Bool {
        (1...64).contains(self.key.utf8.count)
            && self.key.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) || $0 == 45 }
    }

    /// Whether the key is valid at TMDB or the embedded catalogue: no other source has people or collections by id.
    var isOfCatalogue: Bool {
        switch self.source {
        case .tmdb: self.isNumber
        case .embedded: self.isSlug
        case .omdb, .mdblist, .kobis, .kmdb, .kakao, .itunes: false
        }
    }
}
