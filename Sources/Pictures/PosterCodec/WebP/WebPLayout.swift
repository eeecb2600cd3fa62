/// The properties of a WebP and the ranges of its decoded parts.
struct WebPLayout: Hashable {
    /// The still picture, or the first frame of an animation.
    struct Frame: Hashable {
        /// The chunks for libwebp: from `ALPH`, if there is one, to the end of `VP8 ` or `VP8L`.
        let data: Range<Int>
        /// The frame's upper left corner on the canvas, in pixels.
        let x, y: Int
        let bitstream: WebPBitstreamHeader
        /// The payload of the last `ALPH` chunk, which libwebp decodes.
        let alpha: Range<Int>?
        /// Whether the frame has alpha, in the bitstream or in an `ALPH` chunk.
        let hasAlpha: Bool
    }

    /// The size of the canvas in pixels.
    let width, height: Int
    let frame: Frame
    /// The number of frames; 1 for a still picture.
    let frameCount: Int
    /// The payload of the `ICCP` chunk.
    let profile: Range<Int>?
    /// See ``ImageHeader/profileWorkingBytes``.
    let profileWorkingBytes: Int
    let orientation: Orientation

    var coversCanvas: Bool {
        (self.frame.bitstream.width, self.frame.bitstream.height) == (self.width, self.height)
    }

    /// Whether the first shown picture may have transparent pixels, in the frame or outside of it.
    var hasAlpha: Bool { self.frame.hasAlpha || !self.coversCanvas }

    /// The prefix codes for the header, from the lossless data of ``frame``.
    func prefixCodes(of lossless: WebPLosslessHeader?) -> ImageHeader.PrefixCodes? {
        guard self.header.mayHavePrefixCodes else { return nil }
        return lossless?.prefixCodes ?? .init(groupCount: 0, colourCacheBits: 0)
    }

    /// The header without prefix codes, which need more of the file.
    var header: ImageHeader {
        let isLossless = self.frame.bitstream.isLossless
        let one = ImageHeader.SamplingFactors(horizontal: 1, vertical: 1)
        return ImageHeader(
            format: .webp, width: self.width, height: self.height, orientation: self.orientation, bitDepth: 8,
            colourModel: isLossless ? .rgb : .yCbCr,
            sampling: isLossless ? [] : [.init(horizontal: 2, vertical: 2), one, one], isProgressive: false,
            isMultiScan: false, isLossless: isLossless, hasAlpha: self.hasAlpha, frameCount: self.frameCount,
            hasICCProfile: self.profile != nil, profileBytes: self.profile?.count ?? 0,
            profileWorkingBytes: self.profileWorkingBytes)
    }
}

extension WebPLayout.Frame {
    /// Reads the header of the lossless data of the picture, or of its alpha plane; `nil` without lossless data.
    func losslessHeader(
        in bytes: UnsafeRawBufferPointer, watch: RenderWatch? = nil
    ) throws(CodecError) -> WebPLosslessHeader? {
        guard let range = try self.losslessData(in: bytes) else { return nil }
        return try WebPLosslessHeader(
            bytes, in: range, width: self.bitstream.width, height: self.bitstream.height, watch: watch)
    }

    /// The range of the lossless data, after the headers with its size or kind.
    private func losslessData(in bytes: UnsafeRawBufferPointer) throws(CodecError) -> Range<Int>? {
        guard self.data.upperBound <= bytes.count else { throw .truncated }
        if self.bitstream.isLossless { return self.data.dropFirst(8 + WebPBitstreamHeader.losslessHeaderLength) }
        guard let alpha = self.alpha else { return nil }
        guard !alpha.isEmpty else { throw .damaged(reason: "an alpha plane without its header") }
        switch bytes[alpha.lowerBound] & 3 {
        case 0: return nil
        case 1: return alpha.dropFirst()
        default: throw .damaged(reason: "an alpha plane of an unknown compression")
        }
    }
}
