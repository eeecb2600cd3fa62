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
        // A JPEG is encoded while its rows are decoded.
        if self.plan.format == .jpeg, self.plan.streams {
            return self.decoder + self.rings + self.bands + self.file + self.coefficients + profile
        }
        return max(self.decoder + self.rings + self.planes, self.decoder + self.conversion, self.encoding) + profile
    }

    /// The rows that wait for the encoder, and their conversions: planes twice, pixels twice, planes again.
    var bands: Int {
        let rows = 64 * self.plan.size.width
        return rows * (2 * self.planeCount + (self.isDirect ? 0 : 3 * self.channels + 3)) + (1 << 16)
    }

    /// The buffer of the encoded JPEG, which grows by doubling; noise takes two bytes per pixel at the best quality.
    var file: Int { self.outputPixels * (self.plan.quality >= 90 ? 6 : 2) + (1 << 16) }

    /// The coefficients that libjpeg stores to optimise a picture's Huffman tables: 16 bits per sample.
    var coefficients: Int {
        guard self.plan.format == .jpeg, self.plan.encoding == .refined else { return 0 }
        let size = self.plan.size
        // Whole blocks; with 4:2:0, pairs of blocks.
        let padded = (size.width + 15) / 16 * ((size.height + 15) / 16) * 256
        return padded * (self.plan.halvesChroma ? 3 : 6)
    }

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

    /// The tokens that libwebp stores from method 3 on: for noise in black and white about 18 bytes a pixel at quality
    /// 80, and 30 at 100.
    private var webPTokens: Int {
        guard self.plan.webPMethod != .fast else { return 0 }
        return self.outputPixels * (90 + 3 * max(0, self.plan.quality - 80)) / 5
    }

    var encoderInput: Int { self.outputPixels * (self.isDirect ? 3 : self.channels) }

    /// The memory of encoding in addition to its input.
    var encoder: Int {
        let pixels = self.outputPixels
        // Pixels flattened onto the background, and planes converted from them.
        let converted = self.isDirect ? 0 : ((self.source.hasAlpha ? 3 : 0) + 3) * pixels
        return switch self.plan.format {
        case .jpeg: converted + self.file + self.coefficients
        // Lossless alpha takes libwebp about 18 bytes a pixel.
        case .webp: converted + pixels * 5 / 2 + self.webPTokens + (self.source.hasAlpha ? 18 * pixels : 0) + (1 << 20)
        case .png: 2 * self.channels * pixels + (1 << 19)
        case .avif: converted + self.avif
        }
    }

    /// The memory of aom 3.6, as measured: a constant, a part per pixel, and a part per row and column for the margins
    /// of its frames. Alpha is encoded after the colours and takes no more.
    private var avif: Int {
        20 * self.outputPixels + 512 * (self.plan.size.width + self.plan.size.height) + (8 << 20)
    }

    private var encoding: Int { self.encoderInput + self.encoder }
}
