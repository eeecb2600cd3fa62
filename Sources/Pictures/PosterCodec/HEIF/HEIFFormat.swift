/// A format of HEIF files with pictures of one codec.
protocol HEIFFormat: PictureFormat {
    var codec: ItemCodec { get }
}

extension HEIFFormat {
    func headerReader() -> any HeaderReader { HEIFParser.Progress(self.codec) }

    func verify(_ bytes: UnsafeRawBufferPointer, _ header: inout ImageHeader, watch: RenderWatch) throws(CodecError) {
        try HEIFParser.verify(bytes, &header, watch: watch)
    }

    func colourPlanes(of source: ImageHeader, at scale: DecodeScale) -> [DecodedPlane] {
        HEIFDecoder.colourPlanes(of: source, at: scale)
    }

    func decode<Use: PlaneSourceUse>(
        _ bytes: UnsafeRawBufferPointer, _ plan: SourcePlan, watch: RenderWatch, arriving: ArrivingBytes?,
        for use: inout Use
    ) throws(CodecError) {
        try use.use(try HEIFDecoder(bytes, plan, watch: watch))
    }
}
