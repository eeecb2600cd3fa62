/// Hops over the chunks of a WebP without decoding the picture.
struct WebPWalker {
    init(_ bytes: UnsafeRawBufferPointer) {}
    mutating func header() throws(CodecError) -> ProbeAnswer { throw .unsupported("WebP") }
    mutating func walkToEnd(limits: CodecLimits) throws(CodecError) {}
}
