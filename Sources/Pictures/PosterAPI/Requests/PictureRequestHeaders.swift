import HTTPSemantics
import PosterCodec

/// The request's header fields that a picture may depend on.
struct PictureRequestHeaders: Hashable, Sendable {
    /// The format that `Accept` selects if the URL names none.
    var format: OutputFormat = .jpeg
    var hints = ClientHints()

    init() {}

    /// - Parameters:
    ///   - accept: The field's lines joined by commas; nil without one.
    init(accept: String?, hints: ClientHints = ClientHints()) {
        self.format = AcceptHeader(accept).format
        self.hints = hints
    }

    /// For the fast path, which serves no requests with hints that matter.
    init(format: OutputFormat) {
        self.format = format
    }
}

/// Client hints: `Sec-CH-DPR`, `Sec-CH-Width` (Responsive Image Client Hints) and `Save-Data` (Network Information).
/// Malformed ones are ignored.
package struct ClientHints: Hashable, Sendable {
    /// The value of `Accept-CH` (RFC 8942, 3.1).
    package static let accepted = "Sec-CH-DPR, Sec-CH-Width, Save-Data"

    /// The quality for clients that send `Save-Data`, 1...100: clearly smaller files, still acceptable posters.
    static let savingQuality = 55

    /// Hinted widths are rounded up to multiples of this, in pixels; otherwise each width of a page's layout would be a
    /// variant of its own.
    static let widthStep = 64

    /// Hinted ratios are rounded up to one of these, ascending; otherwise each zoom level of a browser would be a variant of
    /// its own.
    static let ratioSteps = ["1", "1.5", "2", "3", "4"].compactMap(DevicePixelRatio.init)

    /// `Sec-CH-DPR`: device pixels per CSS pixel; nil without the hint.
    var ratio: DevicePixelRatio?
    /// `Sec-CH-Width`: the layout width in device pixels; nil without the hint.
    var width: Int?
    /// Whether `Save-Data` is `on`.
    var savesData = false

    init() {}

    /// - Parameters: The fields' values; nil without them, or with more than one.
    init(ratio: String?, width: String?, saveData: String?) {
        // RFC 9651: a decimal has digits on both sides of its point.
        self.ratio = (ratio?.trimmingBlanks).flatMap { DevicePixelRatio(String($0)) }
        self.width = (width?.trimmingBlanks).flatMap { text in
            guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit),
                let pixels = Int(text), pixels > 0
            else { return nil }
            return min(pixels, PictureRequest.sides.upperBound)
        }
        self.savesData = saveData?.trimmingBlanks.lowercased() == "on"
    }

    /// The ratio that `w` and `h` are multiplied by; nil without the hint.
    var pictureRatio: DevicePixelRatio? { self.ratio?.roundedUp(to: Self.ratioSteps) }

    /// The width of the picture, in device pixels; nil without the hint.
    ///
    /// With `Save-Data` it is the layout width in CSS pixels.
    func pictureWidth(ladder: WidthLadder?) -> Int? {
        guard let width else { return nil }
        let wanted = self.savesData ? (self.ratio ?? .one).removed(from: width) : width
        if let ladder { return ladder.rung(atLeast: wanted) }
        let rounded = (wanted + Self.widthStep - 1) / Self.widthStep * Self.widthStep
        return min(max(rounded, PictureRequest.sides.lowerBound), PictureRequest.sides.upperBound)
    }
}

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
            let parts = Self.split(range, at: UInt8(ascii: ";")).map { $0.trimmingBlanks.lowercased() }
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

    /// The weight of `q=0.8` in thousandths; nil for other and for malformed parameters.
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
