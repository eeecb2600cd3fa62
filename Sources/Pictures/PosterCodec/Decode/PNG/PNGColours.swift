import CPosterCodecs

/// The colour space that a PNG declares before its picture (third edition, 4.3): cICP takes precedence over iCCP, that
/// over sRGB, and that over gAMA and cHRM. Invalid chunks are ignored.
struct PNGColours {
    var tag = ColourTag.sRGB
    /// The exponent of the samples times 100,000; 0 for no conversion.
    var gamma: Int32 = 0

    /// - Parameter watch: Checked while a profile is inflated.
    /// - Throws: ``CodecError/overLimit(_:value:limit:)`` for a profile that is too large, and as the watch.
    init(_ bytes: UnsafeRawBufferPointer, watch: RenderWatch) throws(CodecError) {
        var found: [PNGChunk.Kind: UnsafeRawBufferPointer] = [:]
        var hasProfile = false
        var chunks = PNGChunks(bytes)
        while let chunk = try chunks.next(), chunk.type != .data, chunks.isComplete(chunk) {
            switch chunk.type {
            case .profile:
                // Only the first one, valid or not, because memory was planned for it.
                if !hasProfile, chunks.isIntact(chunk) { found[chunk.type] = chunks.payload(of: chunk) }
                hasProfile = true
            case .codePoints, .sRGB, .gamma, .chromaticities:
                guard found[chunk.type] == nil, chunks.isIntact(chunk) else { continue }
                found[chunk.type] = chunks.payload(of: chunk)
            default: break
            }
        }
        if let tag = found[.codePoints].flatMap(Self.tag(codePoints:)) {
            self.tag = tag
            return
        }
        if let profile = try found[.profile].flatMap(PNGProfile.init)?.bytes(watch: watch) {
            self.tag = .profile(profile)
            return
        }
        guard found[.sRGB] == nil else { return }
        if let payload = found[.gamma] { self.gamma = Self.gamma(payload) }
        if let payload = found[.chromaticities] { self.tag = Self.tag(chromaticities: payload) }
    }

    /// Only code points of ITU-T H.273 that differ from sRGB in the primaries alone.
    private static func tag(codePoints payload: UnsafeRawBufferPointer) -> ColourTag? {
        // Transfer 13 is sRGB's, matrix 0 is RGB, and 1 is full range.
        guard payload.count == 4, payload[1] == 13, payload[2] == 0, payload[3] == 1 else { return nil }
        switch payload[0] {
        case 1: return .sRGB
        case 12: return .displayP3
        default: return nil
        }
    }

    /// The gamma, or 0 within 5 % of sRGB's 45,455, a difference that is not visible.
    private static func gamma(_ payload: UnsafeRawBufferPointer) -> Int32 {
        // libpng's limits.
        guard payload.count == 4, case let value = payload.bigEndian(at: 0), (16...625_000_000).contains(value) else {
            return 0
        }
        return abs(Double(value) * 2.2 / 100_000 - 1) > 0.05 ? Int32(value) : 0
    }

    private static func tag(chromaticities payload: UnsafeRawBufferPointer) -> ColourTag {
        guard payload.count == 32 else { return .sRGB }
        let xy = stride(from: 0, to: 32, by: 4).map { Double(payload.bigEndian(at: $0)) / 100_000 }
        let points = stride(from: 0, to: 8, by: 2).map { ColourTag.Chromaticity(x: xy[$0], y: xy[$0 + 1]) }
        guard points.allSatisfy(\.exists), ColourTag.Chromaticity.spanTriangle(points[1], points[2], points[3]) else {
            return .sRGB
        }
        let isEqual = zip(points, ColourTag.Chromaticity.sRGB).allSatisfy { point, sRGB in
            abs(point.x - sRGB.x) <= 0.005 && abs(point.y - sRGB.y) <= 0.005
        }
        guard !isEqual else { return .sRGB }
        return .chromaticities(white: points[0], red: points[1], green: points[2], blue: points[3])
    }
}
