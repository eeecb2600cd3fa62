import PosterCodec

/// What of a request's header fields pictures depend on.
struct PictureHeaders: Hashable, Sendable {
    /// What `Accept` makes of a format that is not named.
    var format: OutputFormat = .jpeg
    /// What the client says of its screen and its line.
    var hints = ClientHints()

    /// Of a client that says nothing.
    init() {}

    /// - Parameters:
    ///   - accept: The field's lines joined by commas; nil without one.
    init(accept: String?, hints: ClientHints = ClientHints()) {
        self.format = AcceptHeader(accept).format
        self.hints = hints
    }

    /// As an event loop has it, which leaves requests with hints to others.
    init(format: OutputFormat) {
        self.format = format
    }
}

/// What a client says of its screen and its line without being asked in the URL: `Sec-CH-DPR`, `Sec-CH-Width` (Responsive
/// Image Client Hints) and `Save-Data` (Network Information). What is malformed counts as not said.
package struct ClientHints: Hashable, Sendable {
    /// For `Accept-CH` (RFC 8942, 3.1).
    package static let accepted = "Sec-CH-DPR, Sec-CH-Width, Save-Data"

    /// The quality for who saves data, 1...100. Clearly smaller, and still a poster.
    static let savingQuality = 55

    /// Widths that are said are rounded up to multiples of this, in pixels: each width of a page's layout would be a variant
    /// of its own otherwise.
    static let widthStep = 64

    /// Ratios that are said are taken up to one of these, ascending to the largest that there is: a browser's zoom gives any,
    /// and each would be a variant of its own.
    static let ratioSteps = ["1", "1.5", "2", "3", "4"].compactMap(DevicePixelRatio.init)

    /// Device pixels per pixel of the page; nil when it was not said.
    var ratio: DevicePixelRatio?
    /// How wide the picture is shown, in device pixels; nil when it was not said.
    var width: Int?
    /// Whether less is better than good.
    var savesData = false

    /// Nothing was said.
    init() {}

    /// - Parameters: The fields' values; nil without them, or with more than one.
    init(ratio: String?, width: String?, saveData: String?) {
        // A decimal of RFC 9651 has a digit on both sides of its point, or none.
        self.ratio = ratio.map(Self.trimmed).flatMap { DevicePixelRatio(String($0)) }
        self.width = width.map(Self.trimmed).flatMap { text in
            guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
                let pixels = Int(text), pixels > 0
            else { return nil }
            return min(pixels, PosterQuery.sides.upperBound)
        }
        self.savesData = saveData.map { Self.trimmed($0).lowercased() == "on" } ?? false
    }

    /// What the sides of a picture are multiplied by; nil when nothing was said.
    var pictureRatio: DevicePixelRatio? { self.ratio?.roundedUp(to: Self.ratioSteps) }

    /// The width that a picture gets, in device pixels; nil when none was said.
    ///
    /// Who saves data gets the pixels of the page, not the device's.
    func pictureWidth(ladder: WidthLadder?) -> Int? {
        guard let width else { return nil }
        let wanted = self.savesData ? (self.ratio ?? .one).removed(from: width) : width
        if let ladder { return ladder.rung(atLeast: wanted) }
        let rounded = (wanted + Self.widthStep - 1) / Self.widthStep * Self.widthStep
        return min(max(rounded, PosterQuery.sides.lowerBound), PosterQuery.sides.upperBound)
    }

    private static func trimmed(_ text: String) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let start = text.drop(while: isBlank)
        return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? ""
    }
}
