struct PNGEncoder {
    func encode(_ pixels: PixelBuffer, watch: RenderWatch) throws(CodecError) -> [UInt8] { throw .unencodable(reason: "PNG") }
}
