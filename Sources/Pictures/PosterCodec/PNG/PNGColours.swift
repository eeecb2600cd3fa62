import CPosterCodecs

/// The colour space that a PNG declares before its picture (third edition, 4.3): cICP takes precedence over iCCP, iCCP
/// over sRGB, and sRGB over gAMA and cHRM. Invalid chunks are ignored.
struct PNGColours {
    var tag = ColourTag.sRGB
    /// The exponent of the samples times 100,000; 0 disables the conversion.
    var gamma: Int32 = 0
    /// Whether black is 16 and white 235, according to cICP.
    var isLimitedRange = false

    /// - Parameter watch: Checked while a profile is inflated.
    /// - Throws: ``CodecError/overLimit(_:value:limit:)`` if a profile is too large, and the errors of the watch.
    init(_ bytes: UnsafeRawBufferPointer, watch: RenderWatch) throws(CodecError) {
        var found: [PNGChunk.Kind: UnsafeRawBufferPointer] = [:]
        var hasProfile = false
        var chunks = PNGChunks(bytes)
        while let chunk = try chunks.next(), chunk.type != .data, chunks.isComplete(chunk) {
            switch chunk.type {
            case .profile:
                // Only the first profile, valid or not, because memory was planned for it.
                if !hasProfile, chunks.isIntact(chunk) { found[chunk.type] = chunks.payload(of: chunk) }
                hasProfile = true
            case .codePoints, .sRGB, .gamma, .chromaticities, .lightLevel, .masteringDisplay:
                guard found[chunk.type] == nil, chunks.isIntact(chunk) else { continue }
                found[chunk.type] = chunks.payload(of: chunk)
            default: break
            }
        }
        if let payload = found[.codePoints], self.takeCodePoints(payload, peak: Self.peak(found)) { return }
        if let profile = try found[.profile].flatMap(PNGProfile.init)?.bytes(watch: watch) {
            self.tag = .profile(profile)
            return
        }
        guard found[.sRGB] == nil else { return }
        // libpng's limits.
        if let payload = found[.gamma], payload.count == 4, case let value = payload.bigEndian(at: 0),
            (16...625_000_000).contains(value)
        {
            self.gamma = Self.gamma(value)
        }
        if let payload = found[.chromaticities] { self.tag = Self.tag(chromaticities: payload) }
    }

    /// - Returns: `false` if the code points are invalid, unspecified or unsupported; other chunks apply then.
    private mutating func takeCodePoints(_ payload: UnsafeRawBufferPointer, peak: Double?) -> Bool {
        // Only the identity matrix (RGB) is valid.
        guard payload.count == 4, payload[2] == 0, payload[3] <= 1 else { return false }
        let points = CodePoints(
            primaries: Int(payload[0]), transfer: Int(payload[1]), matrix: 0, isFullRange: payload[3] == 1)
        guard points.areSpecified, let tag = try? points.tag(peak: peak) else { return false }
        self.tag = tag
        self.isLimitedRange = !points.isFullRange
        // A power applies to the full range of samples only.
        if points.isFullRange, case .curved(let curve, let primaries) = tag, let exponent = curve.exponent {
            self.gamma = Self.gamma(Int((100_000 * exponent).rounded()))
            self.tag = primaries == .sRGB ? .sRGB : .chromaticities(primaries)
        }
        return true
    }

    /// The luminance of the brightest pixel in cd/m², else the mastering display's; `nil` if neither is declared.
    private static func peak(_ found: [PNGChunk.Kind: UnsafeRawBufferPointer]) -> Double? {
        // In units of 0.0001 cd/m².
        if let light = found[.lightLevel], light.count == 8, case let value = light.bigEndian(at: 0), value > 0 {
            return Double(value) / 10_000
        }
        guard let display = found[.masteringDisplay], display.count == 24 else { return nil }
        return Double(display.bigEndian(at: 16)) / 10_000
    }

    /// The gamma; 0 if it is within 5 % of sRGB's 45,455, a difference that is not visible.
    private static func gamma(_ value: Int) -> Int32 {
        abs(Double(value) * 2.2 / 100_000 - 1) > 0.05 ? Int32(value) : 0
    }

    private static func tag(chromaticities payload: UnsafeRawBufferPointer) -> ColourTag {
        guard payload.count == 32 else { return .sRGB }
        let xy = stride(from: 0, to: 32, by: 4).map { Double(payload.bigEndian(at: $0)) / 100_000 }
        let primaries = ColourPrimaries(xy)
        guard primaries.spanTriangle else { return .sRGB }
        let isEqual = zip(xy, ColourPrimaries.sRGB.xy).allSatisfy { abs($0 - $1) <= 0.005 }
        return isEqual ? .sRGB : .chromaticities(primaries)
    }
}
