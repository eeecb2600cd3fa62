import HTTPSemantics
import PosterCodec
import PosterPipeline

/// The box that a picture is fitted into, in device pixels, and the client hints that it depends on.
struct NegotiatedBox {
    private(set) var width: Int?
    private(set) var height: Int?
    private(set) var vary: VaryFields = []

    /// - Throws: ``Problem`` for invalid parameters; invalid hints are ignored.
    init(_ parameters: QueryParameters, hints: ClientHints, policy: PicturePolicy) throws(Problem) {
        let ratio = try parameters.value("dpr", accepted: DevicePixelRatio.forms, DevicePixelRatio.init)
        self.width = try Self.side("w", of: parameters, ratio: ratio ?? .one)
        self.height = try Self.side("h", of: parameters, ratio: ratio ?? .one)
        if self.width == nil, self.height == nil {
            if policy.usesHints {
                self.vary = [.width, .ratio, .saveData]
                self.width = hints.pictureWidth(ladder: policy.ladder)
            }
            // Without a side the picture would have the original's width, which is not on the ladder.
            self.width = self.width ?? policy.ladder?.largestRung
            return
        }
        if let ladder = policy.ladder {
            if let width { self.widen(to: try ladder.width(for: width)) }
            if let height { self.height = try ladder.height(for: height) }
        }
        guard policy.usesHints, ratio == nil else { return }
        self.vary = [.ratio, .saveData]
        if !hints.savesData, let ratio = hints.pictureRatio { self.apply(ratio, ladder: policy.ladder) }
    }

    private static func side(
        _ name: String, of parameters: QueryParameters, ratio: DevicePixelRatio
    ) throws(Problem) -> Int? {
        guard let pixels = try parameters.side(name).map(ratio.applied) else { return nil }
        let most = PictureRequest.sides.upperBound
        guard pixels <= most else {
            throw Problem(
                .invalidParameter, "\(name) times dpr is \(pixels) pixels; the maximum is \(most)")
        }
        return pixels
    }

    /// Applies the hint, unless a side would exceed the accepted range.
    private mutating func apply(_ ratio: DevicePixelRatio, ladder: WidthLadder?) {
        let sides = PictureRequest.sides
        let (width, height) = (self.width.map(ratio.applied), self.height.map(ratio.applied))
        guard width.map(sides.contains) ?? true, height.map(sides.contains) ?? true else { return }
        (self.width, self.height) = (width, height)
        guard let ladder else { return }
        if let width { self.widen(to: ladder.rung(atLeast: width)) }
        self.height = self.height.map { ladder.height(atLeast: $0) }
    }

    /// Scales the box to the width `rung`, keeping its aspect ratio.
    private mutating func widen(to rung: Int) {
        guard let width, rung != width else { return }
        let sides = PictureRequest.sides
        self.height = self.height.map { min(max(($0 * rung + width / 2) / width, sides.lowerBound), sides.upperBound) }
        self.width = rung
    }
}

/// The output format, and whether it was negotiated by `Accept`.
struct NegotiatedFormat {
    let format: OutputFormat
    /// The format sent instead once such a variant exists; `nil` without one.
    let preferred: OutputFormat?
    let vary: VaryFields

    /// - Parameter negotiated: The formats that `Accept` selects.
    init(_ parameters: QueryParameters, negotiated: FormatChoice) throws(Problem) {
        let named = try parameters.value("format", accepted: "auto, jxl, avif, webp, jpeg or png") { text in
            text == "auto" ? .some(nil) : OutputFormat(rawValue: text).map(Optional.some)
        }
        if let named, let chosen = named {
            (self.format, self.preferred, self.vary) = (chosen, nil, [])
        } else {
            (self.format, self.preferred, self.vary) = (negotiated.format, negotiated.preferred, .accept)
        }
    }

    /// A fixed format.
    init(_ format: OutputFormat) {
        (self.format, self.preferred, self.vary) = (format, nil, [])
    }

    init(negotiated: FormatChoice) {
        (self.format, self.preferred, self.vary) = (negotiated.format, negotiated.preferred, .accept)
    }
}

/// The quality, and whether it depends on `Save-Data`.
struct NegotiatedQuality {
    /// The URL's `q`; `nil` without it.
    private let named: Quality?
    /// Whether the quality is reduced for a client that saves data.
    private let saves: Bool
    /// Whether the default is a likeness.
    private let usesLikeness: Bool
    let vary: VaryFields

    init(
        _ parameters: QueryParameters, hints: ClientHints, format: NegotiatedFormat, policy: PicturePolicy
    ) throws(Problem) {
        self.init(try parameters.quality(), hints: hints, format: format, policy: policy)
    }

    /// - Parameter named: The URL's `q`; `nil` without it.
    init(_ named: Quality?, hints: ClientHints, format: NegotiatedFormat, policy: PicturePolicy) {
        // Quality has no effect on PNG; a format named in the URL is final, a negotiated one is not.
        let isOpen = named == nil && policy.usesHints && (format.vary == .accept || format.format != .png)
        self.named = named
        self.usesLikeness = policy.usesLikeness
        self.saves = isOpen && hints.savesData
        self.vary = isOpen ? .saveData : []
    }

    fileprivate func value(for format: OutputFormat) -> Quality {
        if self.saves, format != .png {
            return self.usesLikeness ? .likeness(.low) : .fixed(ClientHints.savingQuality)
        }
        return self.named ?? format.defaultQuality(byLikeness: self.usesLikeness)
    }
}

extension PosterRequest {
    /// Creates a request for a variant in the negotiated formats and qualities.
    /// - Parameter target: Its format and quality are ignored.
    init(id: PosterID, _ target: RenderTarget, _ format: NegotiatedFormat, _ quality: NegotiatedQuality) {
        func variant(_ format: OutputFormat) -> RenderTarget {
            var target = target
            (target.format, target.quality) = (format, quality.value(for: format))
            return target
        }
        self.init(
            id: id, rendition: .variant(variant(format.format)), preferred: format.preferred.map { variant($0) })
    }
}

extension OutputFormat {
    /// The quality of requests that name none.
    func defaultQuality(byLikeness: Bool) -> Quality {
        byLikeness && self != .png ? .likeness(.auto) : .fixed(self.defaultQuality)
    }
}

extension QueryParameters {
    func side(_ name: String) throws(Problem) -> Int? {
        let sides = PictureRequest.sides
        return try self.value(
            name, accepted: "a whole number of pixels from \(sides.lowerBound) to \(sides.upperBound)"
        ) { text in
            Self.number(text).flatMap { sides.contains($0) ? $0 : nil }
        }
    }

    func quality() throws(Problem) -> Quality? {
        try self.value("q", accepted: Quality.forms) { text in
            if let likeness = Likeness(rawValue: text) { return .likeness(likeness) }
            return Self.number(text).flatMap { Quality.numbers.contains($0) ? .fixed($0) : nil }
        }
    }

    /// The value of `v`: the first digits of the original's digest.
    func version() throws(Problem) -> String? {
        let isHexadecimal = { (byte: UInt8) in byte.isDigit || (97...102).contains(byte) }
        return try self.value("v", accepted: "8 to 64 lower-case hexadecimal digits") { text in
            (8...64).contains(text.utf8.count) && text.utf8.allSatisfy(isHexadecimal) ? text : nil
        }
    }
}
