import HTTPSemantics
import PosterCodec

/// The request's header fields that a picture may depend on.
struct PictureRequestHeaders: Hashable, Sendable {
    /// The formats that `Accept` selects if the URL has no format.
    var formats = FormatChoice()
    var hints = ClientHints()

    init() {}

    /// - Parameters:
    ///   - accept: The field's lines joined by commas; `nil` without the field.
    ///   - order: The server's order of negotiable formats.
    init(accept: String?, order: FormatOrder = FormatOrder(), hints: ClientHints = ClientHints()) {
        self.formats = AcceptHeader(accept).choice(of: order)
        self.hints = hints
    }

    /// Creates headers for the fast path, which serves no requests with relevant hints.
    init(formats: FormatChoice) {
        self.formats = formats
    }
}

/// Client hints: `Sec-CH-DPR`, `Sec-CH-Width` (Responsive Image Client Hints) and `Save-Data` (Network Information).
/// Malformed hints are ignored.
package struct ClientHints: Hashable, Sendable {
    /// The value of `Accept-CH` (RFC 8942, 3.1).
    package static let accepted = "Sec-CH-DPR, Sec-CH-Width, Save-Data"

    /// The quality for clients that send `Save-Data` unless qualities are likenesses, 1...100: clearly smaller files,
    /// still acceptable posters.
    static let savingQuality = 55

    /// Hinted widths are rounded up to multiples of this, in pixels; otherwise each width of a page's layout would be a
    /// separate variant.
    static let widthStep = 64

    /// Hinted ratios are rounded up to one of these, ascending; otherwise each zoom level of a browser would be a
    /// separate variant.
    static let ratioSteps = ["1", "1.5", "2", "3", "4"].compactMap(DevicePixelRatio.init)

    /// `Sec-CH-DPR`: device pixels per CSS pixel; `nil` without the hint.
    var ratio: DevicePixelRatio?
    /// `Sec-CH-Width`: the layout width in device pixels; `nil` without the hint.
    var width: Int?
    /// Whether `Save-Data` is `on`.
    var savesData = false

    init() {}

    /// - Parameters: The fields' values; `nil` if a field is absent or occurs more than once.
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

    /// The factor of `w` and `h`; `nil` without the hint.
    var pictureRatio: DevicePixelRatio? { self.ratio?.roundedUp(to: Self.ratioSteps) }

    /// The width of the picture, in device pixels; `nil` without the hint.
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
