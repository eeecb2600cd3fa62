/// Decodes a PNG's pixels row by row: 8 bits a sample, alpha last, the others not multiplied by it.
protocol PNGPixels: AnyObject {
    /// 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha.
    var channels: Int { get }

    /// The next row, which is there until the following call.
    func nextRow() throws(CodecError) -> UnsafePointer<UInt8>

    /// Checks what can only be known at the end.
    func finish() throws(CodecError)
}
