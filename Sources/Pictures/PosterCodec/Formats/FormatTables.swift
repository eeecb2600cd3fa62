extension ImageFormat {
    /// How files of this format are decoded. Other formats than ``decoded`` are recognised, but not decoded.
    var decoding: any PictureFormat {
        switch self {
        case .jpeg: JPEGFormat()
        case .png: PNGFormat()
        case .webp: WebPFormat()
        case .avif: AVIFFormat()
        case .gif: GIFFormat()
        case .jpegXL: JXLFormat()
        default: UndecodedFormat(format: self)
        }
    }
}

extension OutputFormat {
    /// The encoder of a planned picture.
    func encoding(_ plan: EncoderPlan) -> any PictureEncoding {
        switch self {
        case .jpeg: JPEGEncoding(plan)
        case .webp: WebPEncoder(plan)
        case .png: PNGEncoder()
        case .avif: AVIFEncoder(plan)
        case .jxl: JXLEncoder(plan)
        }
    }
}

/// A format without a decoder; its headers are never read.
private struct UndecodedFormat: PictureFormat {
    let format: ImageFormat

    private var error: CodecError { .unsupported(self.format.rawValue) }

    func headerReader() -> any HeaderReader { Reader(error: self.error) }

    func verify(_ bytes: UnsafeRawBufferPointer, _ header: inout ImageHeader, watch: RenderWatch) throws(CodecError) {
        throw self.error
    }

    func decodingNanoseconds(
        of source: ImageHeader, byteCount: Int, at scale: DecodeScale, effort: RenderTarget.Effort
    ) -> Double { 0 }

    func nanosecondsPerPixel(of source: ImageHeader) -> Double { 0 }
    func decoderBytes(for source: ImageHeader, at scale: DecodeScale, limits: CodecLimits) -> Int { 0 }

    func decode<Use: PlaneSourceUse>(
        _ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch, arriving: ArrivingBytes?,
        for use: inout Use
    ) throws(CodecError) { throw self.error }

    private struct Reader: HeaderReader {
        let error: CodecError
        let reached = 0

        mutating func read(
            _ bytes: UnsafeRawBufferPointer, limits: CodecLimits, isWhole: Bool
        ) throws(CodecError) -> ProbeResult { throw self.error }
    }
}
