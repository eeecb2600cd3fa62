/// The size in a JPEG's header.
package struct JPEGSize: Equatable {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Reads the size; `nil` if the bytes are not a JPEG.
    package init?(_ bytes: [UInt8]) {
        let number = { (index: Int) in Int(bytes[index]) << 8 | Int(bytes[index + 1]) }
        var at = 2
        while at + 8 < bytes.count, bytes[at] == 0xFF {
            // Baseline, extended, progressive.
            if (0xC0...0xC2).contains(bytes[at + 1]) {
                self.init(width: number(at + 7), height: number(at + 5))
                return
            }
            at += 2 + number(at + 2)
        }
        return nil
    }
}
