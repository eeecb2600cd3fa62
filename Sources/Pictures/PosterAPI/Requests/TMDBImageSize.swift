import HTTPSemantics
import PosterCodec

/// The size in The Movie Database's image paths: `original`, `w342`, `h632` or `w600_and_h900`, each with suffixes such
/// as `_bestv2`, `_face`, `_multi_faces`, `_filter(blur)` and `_filter(duotone,1F2937,A78BFA)`. Unknown suffixes are
/// ignored.
struct TMDBImageSize: Hashable, Sendable {
    /// The maximum length of the segment, in bytes.
    private static let maxLength = 384
    private static let filterPrefix = "_filter("

    private(set) var width: Int?
    private(set) var height: Int?
    /// The part of a picture that a crop keeps.
    private(set) var position = RenderTarget.Position.center
    private(set) var effect: RenderTarget.Effect?

    var isOriginal: Bool { self.width == nil && self.height == nil && self.effect == nil }

    /// Fills the box completely if both sides are given.
    var fit: RenderTarget.Fit { self.width != nil && self.height != nil ? .cover : .contain }

    /// - Parameter segment: The segment as received; parentheses and commas may be percent-encoded.
    init(_ segment: Substring) throws(Problem) {
        guard segment.utf8.count <= Self.maxLength, let text = PercentEncoding.decode(segment) else {
            throw Self.malformed
        }
        let base = text.prefix { $0 != "_" }
        var rest = text[base.endIndex...]
        switch base.first {
        case _ where base == "original": break
        case "w"?: self.width = try Self.side(base.dropFirst())
        case "h"?: self.height = try Self.side(base.dropFirst())
        default: throw Self.malformed
        }
        if self.width != nil, rest.hasPrefix("_and_h") {
            let height = rest.dropFirst("_and_h".count).prefix { $0 != "_" }
            self.height = try Self.side(height)
            rest = rest[height.endIndex...]
        }
        while !rest.isEmpty { self.readSuffix(&rest) }
    }

    /// Parses the first suffix of `rest`, which begins with `_`.
    private mutating func readSuffix(_ rest: inout Substring) {
        if rest.hasPrefix(Self.filterPrefix), let end = rest.firstIndex(of: ")") {
            self.effect = Self.effect(rest[..<end].dropFirst(Self.filterPrefix.count)) ?? self.effect
            rest = rest[rest.index(after: end)...]
            if rest.first != "_" { rest = rest.drop { $0 != "_" } }
            return
        }
        let suffixes: [(name: String, position: RenderTarget.Position)] = [
            ("_multi_faces", .attention), ("_face", .attention), ("_bestv2", .entropy),
        ]
        for (name, position) in suffixes where rest.hasPrefix(name) {
            let after = rest.dropFirst(name.count)
            guard after.isEmpty || after.first == "_" else { continue }
            self.position = position
            rest = after
            return
        }
        rest = rest.dropFirst().drop { $0 != "_" }
    }

    private static func effect(_ arguments: Substring) -> RenderTarget.Effect? {
        let parts = arguments.split(separator: ",", omittingEmptySubsequences: false)
        switch parts.first {
        case "blur"? where parts.count == 1: return .blur
        case "duotone"? where parts.count == 3:
            guard let dark = Self.colour(parts[1]), let light = Self.colour(parts[2]) else { return nil }
            return .duotone(dark: dark, light: light)
        default: return nil
        }
    }

    private static func colour(_ text: Substring) -> RenderTarget.Colour? {
        text.utf8.count == 6 ? RenderTarget.Colour(hex: String(text)) : nil
    }

    private static func side(_ text: Substring) throws(Problem) -> Int {
        guard let pixels = QueryParameters.number(String(text)), PictureRequest.sides.contains(pixels) else {
            throw Self.malformed
        }
        return pixels
    }

    private static var malformed: Problem {
        let sides = PictureRequest.sides
        return Problem(
            .invalidParameter,
            "the size must be original, or w or h and \(sides.lowerBound) to \(sides.upperBound) pixels, such as w342 or w300_and_h450"
        )
    }
}

extension TMDBImageSize {
    /// The sizes of TMDB, its site and well-known clients, which are served regardless of the policy's ladder.
    private static let ownWidths: Set<Int> = [45, 92, 154, 185, 300, 342, 500, 780, 1280]
    private static let ownHeights: Set<Int> = [632]
    private static let ownBoxes: [Int: Set<Int>] = [
        45: [45], 58: [87], 64: [64], 66: [66], 90: [90], 94: [141], 116: [174], 128: [128], 130: [195], 132: [132],
        138: [175], 150: [225], 180: [180], 188: [282], 220: [330], 227: [127], 235: [235], 250: [141], 276: [350],
        300: [300, 450], 355: [200], 375: [375], 440: [660], 454: [254], 470: [470], 500: [282], 533: [300],
        600: [900], 710: [400], 1000: [450], 1066: [600], 1280: [720], 1440: [320], 1920: [600, 800, 1080],
    ]

    /// The box in pixels: one of TMDB's own, or fitted to the ladder.
    ///
    /// - Parameter ladder: `nil` permits all sides.
    /// - Throws: ``Problem`` that lists the sides of the ladder.
    func box(on ladder: WidthLadder?) throws(Problem) -> (width: Int?, height: Int?) {
        guard let ladder else { return (self.width, self.height) }
        switch (self.width, self.height) {
        case (nil, nil): return (ladder.largestRung, nil)
        case (let width?, nil):
            return (Self.ownWidths.contains(width) ? width : try ladder.width(for: width), nil)
        case (nil, let height?):
            return (nil, Self.ownHeights.contains(height) ? height : try ladder.height(for: height))
        case (let width?, let height?):
            if Self.ownBoxes[width]?.contains(height) == true { return (width, height) }
            let rung = try ladder.width(for: width)
            let scaled = (height * rung + width / 2) / width
            let sides = PictureRequest.sides
            return (rung, try ladder.height(for: min(max(scaled, sides.lowerBound), sides.upperBound)))
        }
    }
}
