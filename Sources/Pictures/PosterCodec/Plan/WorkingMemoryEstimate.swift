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

    var planeCount: Int {
        let colours =
            switch self.source.colourModel {
            case .gray: 1
            case .palette, .yCbCr, .rgb: 3
            case .cmyk, .ycck: 4
            }
        return colours + (self.source.hasAlpha ? 1 : 0)
    }

    var decoder: Int {
        let pixels = self.source.width * self.source.height
        switch self.source.format {
        case .jpeg:
            // libjpeg keeps 16-bit coefficients of the whole picture if no single scan has them all. The scan decoder
            // here needs only a few rows of them, but falls back to libjpeg if a scan proves irregular while it is
            // decoded, such as by bytes after its data, which libjpeg accepts.
            guard self.source.isMultiScan else { return 0 }
            let sampling = self.source.sampling
            let (across, down) = (8 * (sampling.map(\.horizontal).max() ?? 1), 8 * self.maxVertical)
            let unitCount = ((self.source.width + across - 1) / across) * ((self.source.height + down - 1) / down)
            return 2 * unitCount * sampling.reduce(0) { $0 + 64 * $1.horizontal * $1.vertical }
        case .png:
            // All pixels of an interlaced picture; the inflater's window and tables; two rows of up to 8 bytes a pixel,
            // and one row of pixels.
            let rows = (2 * 8 + 4) * self.source.width
            return (self.source.isProgressive ? pixels * self.planeCount : 0) + (1 << 17) + rows
        case .webp:
            let decoded = self.scale.decoded(self.source.width) * self.scale.decoded(self.source.height)
            let own = WebPMemoryEstimate(source: self.source, maxPrefixCodeGroups: self.limits.maxPrefixCodeGroups)
                .bytes
            return own + decoded * (self.source.hasAlpha ? 4 : self.source.isLossless ? 3 : 2)
        case .avif:
            guard let coding = self.source.coding else { return 0 }
            return AVIFMemoryEstimate(coding: coding, maxCodedPictures: self.limits.maxCodedPictures).bytes
        case .gif:
            // All indices of an interlaced picture, or a row of them; the tables of codes and colours.
            return (self.source.isProgressive ? pixels : self.source.width) + GIFCodeReader.byteCount + (1 << 14)
        default: return 0
        }
    }

    private var maxVertical: Int { self.source.sampling.map(\.vertical).max() ?? 1 }

    /// The rings: per plane, as many decoded rows as the filter has taps, plus two groups of rows.
    private var rings: Int {
        let shrinkage = self.plan.shrinkage
        let along = self.source.orientation.swapsSides ? shrinkage.across : shrinkage.down
        let tapsDown = min(Int(6 * max(1, along * self.scale.factor)) + 2, self.scale.decoded(self.source.height))
        let rowsPerGroup = self.source.format == .jpeg ? self.maxVertical * self.scale.eighths : 8
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

/// Estimates, never too low, the memory that libwebp 1.2.4 allocates to decode a picture, without its output.
struct WebPMemoryEstimate {
    let source: ImageHeader
    /// The assumed number of prefix-code groups if the header has none.
    let maxPrefixCodeGroups: Int

    var bytes: Int {
        guard !self.source.isLossless else { return self.lossless }
        // Two rows of macroblocks with their filter's margin, and the data stored per block across, are 125 bytes a
        // pixel across; a rescaler takes 16 more.
        let lossy = 144 * self.source.width + (1 << 19)
        guard self.source.hasAlpha else { return lossy }
        // The alpha plane, and a previous one.
        let planes = 2 * self.pixels
        return lossy + planes + (self.source.prefixCodes?.groupCount == 0 ? 0 : self.lossless)
    }

    private var pixels: Int { self.source.width * self.source.height }

    /// The memory for lossless data: pixels before their transforms, sixteen rows after them and one for prediction;
    /// the images of two transforms and the entropy image, with the smallest blocks; the tables.
    private var lossless: Int {
        let blocks = ((self.source.width + 3) / 4) * ((self.source.height + 3) / 4)
        return 4 * (self.pixels + 17 * self.source.width + 3 * blocks) + self.tables + (1 << 16)
    }

    /// The tables: for each group pointers, a table of pairs of codes, and tables of five codes.
    private var tables: Int {
        let codes = self.source.prefixCodes
        let groupCount = codes?.groupCount ?? self.maxPrefixCodeGroups
        let cacheBits = codes?.colourCacheBits ?? WebPLosslessHeader.maxCacheBits
        // The largest tables of codes of 256 (three times), 40, and 280 symbols with the colour cache's, in entries of
        // four bytes. The renumbering of a group takes four bytes more.
        let entries = 3 * 630 + 410 + Self.greenEntries[cacheBits]
        return groupCount * (4 * entries + Self.groupBytes + 4)
    }

    private static let groupBytes = 576
    /// The entries of green's table, by the colour cache's bits.
    private static let greenEntries = [654, 656, 658, 662, 670, 686, 718, 782, 912, 1168, 1680, 2704]
}
