/// Hops over the chunks of a PNG without decompressing the picture.
struct PNGWalker {
    init(_ bytes: UnsafeRawBufferPointer) {}
    mutating func header() throws(CodecError) -> ProbeAnswer { throw .unsupported("PNG") }
    mutating func walkToEnd(limits: CodecLimits) throws(CodecError) {}
}
