import HTTPSemantics
package import PosterCodec

/// The formats that `Accept` may select, in the server's order of preference among equally acceptable ones.
package struct FormatOrder: Hashable, Sendable {
    /// The formats that an order may contain.
    package static let choices: [OutputFormat] = [.jxl, .avif, .webp, .jpeg]
    package static let standard = FormatOrder.choices

    /// Always contains JPEG.
    package let formats: [OutputFormat]

    package init() {
        self.formats = Self.standard
    }

    /// - Parameter formats: A subset of ``choices`` without duplicates; JPEG, which all clients support, is appended if
    ///   missing.
    /// - Returns: `nil` for other formats or duplicates.
    package init?(_ formats: [OutputFormat]) {
        guard formats.allSatisfy(Self.choices.contains), Set(formats).count == formats.count else { return nil }
        self.formats = formats.contains(.jpeg) ? formats : formats + [.jpeg]
    }

    /// The order of WebP and JPEG alone, for pictures that have no other lossy format.
    var ofWebP: FormatOrder { FormatOrder(self.formats.filter { $0 == .webp || $0 == .jpeg }) ?? self }
}

/// The formats of a response to a URL without a format.
struct FormatChoice: Hashable, Sendable {
    /// The format rendered while the client waits.
    let format: OutputFormat
    /// The format sent once such a variant exists; `nil` without one.
    let preferred: OutputFormat?

    init(_ format: OutputFormat = .jpeg, preferred: OutputFormat? = nil) {
        self.format = format
        self.preferred = preferred
    }
}

/// A parsed `Accept` header (RFC 9110, 12.5.1), which selects the output format.
struct AcceptHeader {
    /// Weights by media range, in thousandths.
    private let weights: [String: Int]

    /// The maximum number of media ranges parsed; browsers send about ten.
    private static let rangeLimit = 64

    /// - Parameter value: The header's lines joined by commas; `nil` without the header.
    init(_ value: String?) {
        var weights: [String: Int] = [:]
        for range in Self.split(value?[...] ?? "", at: UInt8(ascii: ",")).prefix(Self.rangeLimit)
        // Others are malformed, and slow to compare (``FieldSyntax``).
        where range.utf8.allSatisfy({ $0 < 0x80 }) {
            let parts = Self.split(range, at: UInt8(ascii: ";")).map { $0.trimmingBlanks.lowercased() }
            guard let name = parts.first, !name.isEmpty else { continue }
            let weight = parts.dropFirst().lazy.compactMap(Self.weight).first ?? 1000
            weights[name] = max(weight, weights[name] ?? 0)
        }
        self.weights = weights
    }

    /// The formats served if the URL has none: the one with the greatest weight, and among equals the first in `order`.
    ///
    /// WebP, AVIF and JPEG XL are served only if the header names them: image loaders without support for them also
    /// send `*/*`. PNG, which is several times as large, only if nothing else is acceptable. JPEG in all other cases,
    /// even if no format is acceptable: the RFC lets a server disregard the header, and a picture is better than an
    /// error.
    func choice(of order: FormatOrder) -> FormatChoice {
        let best = self.best(of: order.formats[...])
        guard best == .avif else { return FormatChoice(best) }
        // No request waits for AVIF unless its URL names it.
        return FormatChoice(self.best(of: order.formats.filter { $0 != .avif }[...]), preferred: best)
    }

    private func best(of formats: ArraySlice<OutputFormat>) -> OutputFormat {
        var best: (format: OutputFormat, weight: Int)?
        for format in formats {
            let weight = format == .jpeg ? self.weight(of: .jpeg) : self.weights[format.mediaType] ?? 0
            if weight > best?.weight ?? 0 { best = (format, weight) }
        }
        return best?.format ?? (self.weight(of: .png) > 0 && self.weight(of: .jpeg) == 0 ? .png : .jpeg)
    }

    /// The weight of the most specific matching range, not the greatest weight.
    private func weight(of format: OutputFormat) -> Int {
        self.weights[format.mediaType] ?? self.weights["image/*"] ?? self.weights["*/*"] ?? 0
    }

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

    /// The weight of `q=0.8` in thousandths; `nil` for other parameters and malformed ones.
    private static func weight(_ parameter: String) -> Int? {
        guard parameter.hasPrefix("q=") else { return nil }
        let digits = parameter.dropFirst(2).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = digits.count > 1 ? digits[1] : ""
        guard let whole = digits.first, whole == "0" || whole == "1", fraction.utf8.count <= 3,
            fraction.utf8.allSatisfy(\.isDigit)
        else { return nil }
        let thousandths = Int((fraction + "000").prefix(3)) ?? 0
        return min(1000, (whole == "1" ? 1000 : 0) + thousandths)
    }
}
