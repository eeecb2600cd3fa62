/// Estimates, rather too high, the memory of a render, excluding the original's bytes and the result.
struct WorkingMemoryEstimate {
    /// The plan; its ``RenderPlan/workingBytes`` are not set yet.
    let plan: RenderPlan
    /// Assumed for numbers that the header lacks: prefix-code groups of a WebP, pictures of an AVIF.
    let limits: CodecLimits

    private var source: ImageHeader { self.plan.source }
    private var scale: DecodeScale { self.plan.scale }

    /// The estimate in bytes: the maximum over the stages. The rings are freed before colours are converted, and the
    /// decoder before encoding; a streamed render holds all stages at once, but few rows of each.
    var bytes: Int {
        // The memory of the conversion to sRGB may not have been returned to the system when other stages begin.
        let profile = self.source.profileWorkingBytes
        if self.isEncodedInBands {
            return self.decoder + self.rings + self.bands + self.ownEncoder + profile + self.overlay
        }
        return max(self.decoder + self.rings + self.planes, self.decoder + self.conversion, self.encoding) + profile
            + self.overlay
    }

    /// The glyphs of badges, with the memory of drawing them; 0 without badges.
    var overlay: Int {
        self.plan.badges == nil ? 0 : Self.drawingBytes + self.outputPixels / Self.pixelsPerGlyphByte
    }

    /// The memory of drawing badges of a small picture.
    private static let drawingBytes = 64 << 10
    /// Of larger pictures, badges cover at most a part, with a byte per pixel.
    private static let pixelsPerGlyphByte = 8

    /// The rows that wait for the encoder, and their conversions: planes twice, pixels twice, planes again.
    var bands: Int {
        let rows = 64 * self.plan.size.width
        return rows * (2 * self.planeCount + (self.isDirect ? 0 : 3 * self.channels + 3)) + (1 << 16)
    }

    /// Whether the result is encoded while its rows are decoded.
    var isEncodedInBands: Bool { self.plan.input == .rows && self.plan.streams }

    var planeCount: Int { self.source.planeCount }

    var decoder: Int {
        self.source.format.decoding.decoderBytes(for: self.source, at: self.scale, limits: self.limits)
    }

    /// The rings: per plane, as many decoded rows as the filter has taps, plus two groups of rows.
    private var rings: Int {
        let shrinkage = self.plan.shrinkage
        let along = self.source.orientation.swapsSides ? shrinkage.across : shrinkage.down
        let tapsDown = min(Int(6 * max(1, along * self.scale.factor)) + 2, self.scale.decoded(self.source.height))
        let groupHeight = self.source.format.decoding.groupHeight(of: self.source)
        let rowsPerGroup = groupHeight.map { $0 * self.scale.eighths / 8 } ?? 8
        let rowBytes = self.scale.decoded(self.source.width) + 64
        return self.planeCount * rowBytes * (tapsDown + 2 * rowsPerGroup)
    }

    private var resampledPixels: Int { self.plan.framing.resampledSize.pixels }

    private var outputPixels: Int { self.plan.size.pixels }

    private var isDirect: Bool { self.plan.encodesPlanes }

    /// The planes after resampling, twice when transposed.
    var planes: Int {
        let turns = self.source.orientation.swapsSides ? 2 : 1
        return self.resampledPixels * (self.isDirect ? 3 : self.planeCount) * turns
    }

    /// The samples of a pixel in sRGB.
    private var channels: Int { self.source.hasAlpha ? 4 : 3 }

    /// The planes, the pixels converted from them, and the crop; 0 without a conversion.
    var conversion: Int {
        guard !self.isDirect else { return 0 }
        let part = self.resampledPixels == self.outputPixels ? 0 : self.outputPixels
        return self.planes + (self.resampledPixels + part) * self.channels
    }

    var encoderInput: Int { self.outputPixels * (self.isDirect ? 3 : self.channels) }

    /// The memory of encoding in addition to its input.
    var encoder: Int {
        guard self.plan.input != .pixels, !self.isDirect else { return self.ownEncoder }
        // Pixels flattened onto the background, and planes converted from them.
        return self.ownEncoder + ((self.source.hasAlpha ? 3 : 0) + 3) * self.outputPixels
    }

    private var ownEncoder: Int {
        self.plan.encoder.workingBytes(self.plan.encoderPlan) + self.plan.measuringBytes
    }

    private var encoding: Int { self.encoderInput + self.encoder }
}
