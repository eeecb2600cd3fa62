struct PNGReader: ~Copyable, PlaneSource {
    let layout: PlaneLayout
    let colourTag: ColourTag
    init(_ bytes: UnsafeRawBufferPointer, plan: RenderPlan, limits: CodecLimits, watch: RenderWatch) throws(CodecError) {
        throw .unsupported("PNG")
    }
    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) {}
    mutating func finish() throws(CodecError) {}
}
