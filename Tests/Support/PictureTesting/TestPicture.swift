import PosterCodec

/// Pictures for tests that depend on bytes and sizes, not on pixels.
package enum TestPicture {
    /// A 4:2:0 JPEG with a gradient and seeded noise.
    ///
    /// - Parameter seed: Different seeds give different bytes.
    package static func jpeg(width: Int, height: Int, seed: UInt64 = 1, isProgressive: Bool = false) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        var luma = Plane(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                luma.samples[y * luma.stride + x] = UInt8((x * 160 / width + y * 60 / height + Int(state >> 59)) & 255)
            }
        }
        let blue = Plane(width: (width + 1) / 2, height: (height + 1) / 2, filledWith: 100)
        let red = Plane(width: (width + 1) / 2, height: (height + 1) / 2, filledWith: 150)
        var encoder = JPEGEncoder(quality: 85)
        encoder.isProgressive = isProgressive
        do {
            return try encoder.encode([luma, blue, red])
        } catch {
            fatalError("a test picture cannot be encoded: \(error)")
        }
    }
}
