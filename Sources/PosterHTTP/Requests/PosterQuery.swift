import PosterCodec
import PosterPipeline

/// Reads `GET /poster/{id}?w=368&fit=cover…`. Synchronous, and free of any framework.
struct PosterQuery {
    /// The sides that may be asked for, in pixels, before and after ``dpr`` is applied.
    static let sides = 16...CodecLimits.maxTargetSide

    /// What the resource takes, for people.
    static let names = "w, h, fit, position, dpr, format, q, bg and v"

    /// The id, and what is wanted of it.
    let request: PosterRequest
    /// Whether `Accept` decided the format.
    let isNegotiated: Bool
    /// What the original's digest begins with, as the URL says: lower-case hexadecimal digits; nil when it says nothing.
    let version: String?

    /// - Parameters:
    ///   - id: The path's segment, still percent-encoded: it is decoded here, once.
    ///   - accept: The `Accept` header, its lines joined by commas; nil without one.
    ///   - effort: How much the operator lets decoders leave out.
    /// - Throws: ``Problem`` that names the parameter and what is accepted.
    init(
        id: Substring, target: RequestTarget, accept: String?, effort: RenderTarget.Effort = .balanced
    ) throws(Problem) {
        let posterID = try Self.posterID(id)
        var values = try Self.values(target)
        self.version = try Self.version(of: values)
        values["v"] = nil  // which bytes are expected, not which are wanted
        guard !values.isEmpty else {
            self.request = PosterRequest(id: posterID, rendition: .original)
            self.isNegotiated = false
            return
        }
        let ratio = try Self.value("dpr", of: values, accepted: DevicePixelRatio.forms, DevicePixelRatio.init) ?? .one
        let named = try Self.value("format", of: values, accepted: "auto, jpeg, webp or png") { text in
            text == "auto" ? .some(nil) : OutputFormat(rawValue: text).map(Optional.some)
        }
        let format: OutputFormat
        if let named, let chosen = named {
            (format, self.isNegotiated) = (chosen, false)
        } else {
            (format, self.isNegotiated) = (AcceptHeader(accept).prefersWebP ? .webp : .jpeg, true)
        }
        let wanted = RenderTarget(
            width: try Self.side("w", of: values, ratio: ratio), height: try Self.side("h", of: values, ratio: ratio),
            fit: try Self.choice("fit", of: values) ?? .contain,
            position: try Self.choice("position", of: values) ?? .center, format: format,
            quality: try Self.value("q", of: values, accepted: "a whole number from 1 to 100") { text in
                Self.number(text).flatMap { (1...100).contains($0) ? $0 : nil }
            },
            background: try Self.value(
                "bg", of: values, accepted: RenderTarget.Background.forms, RenderTarget.Background.init(hex:))
                ?? .white,
            effort: effort)
        self.request = PosterRequest(id: posterID, rendition: .variant(wanted))
    }

    static func posterID(_ segment: Substring) throws(Problem) -> PosterID {
        guard let text = PercentEncoding.decode(segment) else {
            throw Problem(.invalidID, "the id holds malformed percent-encoding; a '/' in a key is written %2F")
        }
        do {
            return try PosterID(text)
        } catch {
            throw Problem(.invalidID, "the id is not [source:]key: \(error.reason)")
        }
    }

    private static let known = ["w", "h", "fit", "position", "dpr", "format", "q", "bg", "v"]

    /// How many digits of a digest a URL may give.
    private static let versionLengths = 8...64

    static func version(of values: [String: String]) throws(Problem) -> String? {
        try Self.value("v", of: values, accepted: "8 to 64 hexadecimal digits in lower case") { text in
            Self.versionLengths.contains(text.utf8.count)
                && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) } ? text : nil
        }
    }

    /// Each known parameter, once.
    private static func values(_ target: RequestTarget) throws(Problem) -> [String: String] {
        var values: [String: String] = [:]
        for (name, value) in try target.parameters() {
            guard Self.known.contains(name) else {
                throw Problem(
                    .invalidParameter, "'\(name.prefix(64))' is no parameter of this resource; it takes \(Self.names)")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Problem(.invalidParameter, "\(name) is given more than once")
            }
        }
        return values
    }

    private static func value<Value>(
        _ name: String, of values: [String: String], accepted: String, _ parse: (String) -> Value?
    ) throws(Problem) -> Value? {
        guard let text = values[name] else { return nil }
        guard let value = parse(text) else { throw Problem(.invalidParameter, "\(name) must be \(accepted)") }
        return value
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of values: [String: String]
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        let all = Choice.allCases.map(\.rawValue)
        let accepted = all.dropLast().joined(separator: ", ") + " or " + (all.last ?? "")
        return try Self.value(name, of: values, accepted: accepted) { Choice(rawValue: $0) }
    }

    private static func side(
        _ name: String, of values: [String: String], ratio: DevicePixelRatio
    ) throws(Problem) -> Int? {
        let accepted = "a whole number of pixels from \(Self.sides.lowerBound) to \(Self.sides.upperBound)"
        let side = try Self.value(name, of: values, accepted: accepted) { text in
            Self.number(text).flatMap { Self.sides.contains($0) ? $0 : nil }
        }
        guard let pixels = side.map(ratio.applied) else { return nil }
        guard pixels <= Self.sides.upperBound else {
            throw Problem(
                .invalidParameter,
                "\(name) times dpr is \(pixels) pixels; at most \(Self.sides.upperBound) can be asked for")
        }
        return pixels
    }

    /// Digits only: Int would take "+368" as well.
    private static func number(_ text: String) -> Int? {
        !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
    }
}
