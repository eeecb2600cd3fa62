import PosterCodec

/// A parsed `Accept` header (RFC 9110, 12.5.1), which selects the output format.
struct AcceptHeader {
    /// Weights by media range, in thousandths.
    private let weights: [String: Int]

    /// The most media ranges parsed; browsers send about ten.
    private static let rangeLimit = 64

    /// - Parameter value: The header's lines joined by commas; nil without one.
    init(_ value: String?) {
        var weights: [String: Int] = [:]
        for range in Self.split(value?[...] ?? "", at: UInt8(ascii: ",")).prefix(Self.rangeLimit) {
            let parts = Self.split(range, at: UInt8(ascii: ";")).map(Self.trimmed)
            guard let name = parts.first, !name.isEmpty else { continue }
            let weight = parts.dropFirst().lazy.compactMap(Self.weight).first ?? 1000
            weights[name] = max(weight, weights[name] ?? 0)
        }
        self.weights = weights
    }

    /// The format served when the URL names none.
    ///
    /// WebP only if it is named and not weighted below JPEG: image loaders without WebP support also send `*/*`. PNG, which
    /// is several times as large, only if JPEG is excluded. JPEG in all other cases, even if no format is acceptable: the RFC
    /// lets a server disregard the header, and a picture is better than an error.
    var format: OutputFormat {
        let jpeg = self.weight(of: .jpeg)
        if let webp = self.weights[OutputFormat.webp.mediaType], webp > 0, webp >= jpeg { return .webp }
        return jpeg == 0 && self.weight(of: .png) > 0 ? .png : .jpeg
    }

    /// The weight of the most specific matching range, not the greatest one.
    private func weight(of format: OutputFormat) -> Int {
        self.weights[format.mediaType] ?? self.weights["image/*"] ?? self.weights["*/*"] ?? 0
    }

    /// Splits at separators outside of quoted strings.
    private static func split(_ text: Substring, at separator: UInt8) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var (isQuoted, isEscaped) = (false, false)
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(text[start..<index])
                start = text.utf8.index(after: index)
            }
        }
        parts.append(text[start...])
        return parts
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed()).lowercased()
    }

    /// The weight of `q=0.8` in thousandths; nil for other and for malformed parameters.
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
