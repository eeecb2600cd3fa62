extension JPEGSegment {
    /// An ICC profile in so many segments (ICC.1, B.4), in order.
    package static func profile(_ bytes: [UInt8], parts: Int = 1) -> [JPEGSegment] {
        let size = (bytes.count + parts - 1) / parts
        return (0..<parts).map { index in
            let part = bytes[min(index * size, bytes.count)..<min((index + 1) * size, bytes.count)]
            return JPEGSegment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(parts)] + part)
        }
    }
}

extension [UInt8] {
    /// This JPEG with segments right after SOI.
    package func splicing(_ segments: [JPEGSegment]) -> [UInt8] {
        Array(self.prefix(2)) + segments.flatMap(\.bytes) + Array(self.dropFirst(2))
    }
}
