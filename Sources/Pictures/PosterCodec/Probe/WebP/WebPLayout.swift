/// Where the parts of a WebP lie that a poster is made of.
struct WebPLayout: Hashable {
    /// The picture, or the first one of an animation.
    struct Frame: Hashable {
        /// One or several whole chunks as libwebp takes them: from `ALPH`, if there is one, to the end of `VP8 ` or
        /// `VP8L`.
        let data: Range<Int>
        /// Where the frame's upper left corner lies on the canvas, in pixels.
        let x, y: Int
        let bitstream: WebPBitstreamHeader
        /// The content of the `ALPH` chunk that libwebp takes, which is the last one.
        let alpha: Range<Int>?
        /// Whether the data has alpha, in the bitstream or in a chunk beside it.
        let hasAlpha: Bool
    }

    /// Of the canvas, in pixels; of a still picture also the frame's.
    let width, height: Int
    let frame: Frame
    /// Frames of an animation; 1 of a still picture.
    let frameCount: Int
    /// The content of the `ICCP` chunk.
    let profile: Range<Int>?
    /// See ``ImageHeader/profileWorkingBytes``.
    let profileWorkingBytes: Int
    let orientation: Orientation

    /// Whether the frame leaves no part of the canvas free.
    var coversCanvas: Bool {
        (self.frame.bitstream.width, self.frame.bitstream.height) == (self.width, self.height)
    }

    /// Whether the picture that is shown first has transparent pixels: its own, or those that it does not reach.
    var hasAlpha: Bool { self.frame.hasAlpha || !self.coversCanvas }

    /// What the header says of prefix codes.
    ///
    /// - Parameter lossless: As the frame has it.
    func prefixCodes(of lossless: WebPLosslessHeader?) -> ImageHeader.PrefixCodes? {
        guard self.header.mayHavePrefixCodes else { return nil }
        return lossless?.prefixCodes ?? .init(groupCount: 0, colourCacheBits: 0)
    }

    /// Without its prefix codes, which are not at the file's beginning.
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
    /// Reads the beginning of the data that is coded without loss: the picture's, or its alpha's.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - watch: As ``WebPLosslessHeader`` takes it.
    /// - Returns: nil when there is no such data.
    /// - Throws: As ``WebPLosslessHeader``.
    func losslessHeader(
        in bytes: UnsafeRawBufferPointer, watch: RenderWatch? = nil
    ) throws(CodecError) -> WebPLosslessHeader? {
        guard let range = try self.losslessData(in: bytes) else { return nil }
        return try WebPLosslessHeader(
            bytes, in: range, width: self.bitstream.width, height: self.bitstream.height, watch: watch)
    }

    /// Where it lies, behind the headers that give its size or kind.
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
