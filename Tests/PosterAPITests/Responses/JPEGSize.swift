/// The size in the first frame header of a JPEG.
struct JPEGSize: Equatable {
    let width: Int
    let height: Int

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    init?(_ bytes: [UInt8]) {
        guard let frame = bytes.firstRange(of: [0xFF, 0xC0]), frame.upperBound + 7 <= bytes.count else { return nil }
        let at = frame.upperBound + 3
        self.init(width: Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]), height: Int(bytes[at]) << 8 | Int(bytes[at + 1]))
    }
}
