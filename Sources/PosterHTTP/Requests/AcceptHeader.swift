/// An `Accept` header (RFC 9110, 12.5.1), as far as it decides between JPEG and WebP.
struct AcceptHeader {
    /// What a client says of one media range, in thousandths.
    private let weights: [String: Int]

    /// The most media ranges that are read; browsers send about ten.
    private static let rangeLimit = 64

    /// - Parameter value: The header's lines joined by commas; nil without one.
    init(_ value: String?) {
        var weights: [String: Int] = [:]
        for range in (value ?? "").split(separator: ",").prefix(Self.rangeLimit) {
            let parts = range.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
            guard let name = parts.first, !name.isEmpty else { continue }
            let weight = parts.dropFirst().lazy.compactMap(Self.weight).first ?? 1000
            weights[name] = max(weight, weights[name] ?? 0)
        }
        self.weights = weights
    }

    /// Whether WebP is to be sent: only to who names it, and does not like JPEG better.
    var prefersWebP: Bool {
        guard let webp = self.weights["image/webp"], webp > 0 else { return false }
        let jpeg = self.weights["image/jpeg"] ?? self.weights["image/*"] ?? self.weights["*/*"] ?? 0
        return webp >= jpeg
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed()).lowercased()
    }

    /// The thousandths of `q=0.8`; nil when the parameter is another one, or malformed.
    private static func weight(_ parameter: String) -> Int? {
        guard parameter.hasPrefix("q=") else { return nil }
        let digits = parameter.dropFirst(2).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = digits.count > 1 ? digits[1] : ""
        guard let whole = digits.first, whole == "0" || whole == "1", fraction.utf8.count <= 3,
            fraction.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        let thousandths = Int((fraction + "000").prefix(3)) ?? 0
        return min(1000, (whole == "1" ? 1000 : 0) + thousandths)
    }
}
