/// Interleaved pixels in sRGB.
///
/// Shape: 8 bits a sample, `channels` samples a pixel — 1 gray, 3 RGB, 4 RGBA with colours not multiplied by alpha —
/// row by row from the top without padding.
struct PixelBuffer {
    let width, height: Int
    let channels: Int
    var samples: [UInt8]

    init(width: Int, height: Int, channels: Int) {
        self.width = width
        self.height = height
        self.channels = channels
        self.samples = [UInt8](repeating: 0, count: width * height * channels)
    }

    /// Whether no pixel is transparent.
    var isOpaque: Bool {
        guard self.channels == 4 else { return true }
        return self.samples.withUnsafeBufferPointer { samples in
            stride(from: 3, to: samples.count, by: 4).allSatisfy { samples[$0] == 255 }
        }
    }

    func cropped(to size: OutputSize, x: Int, y: Int) -> PixelBuffer {
        var part = PixelBuffer(width: size.width, height: size.height, channels: self.channels)
        let rowBytes = size.width * self.channels
        part.samples.withUnsafeMutableBufferPointer { to in
            self.samples.withUnsafeBufferPointer { from in
                for row in 0..<size.height {
                    let start = ((y + row) * self.width + x) * self.channels
                    (to.baseAddress! + row * rowBytes).update(from: from.baseAddress! + start, count: rowBytes)
                }
            }
        }
        return part
    }

    /// The pixels composited over `background`, without alpha.
    func flattened(on background: RenderTarget.Background) -> PixelBuffer {
        guard self.channels == 4 else { return self }
        var flat = PixelBuffer(width: self.width, height: self.height, channels: 3)
        let rows = ChannelRows(width: self.width)
        flat.samples.withUnsafeMutableBufferPointer { to in
            self.samples.withUnsafeBufferPointer { from in
                for y in 0..<self.height {
                    rows.unpack(from.baseAddress! + y * self.width * 4, channels: 4)
                    for (channel, level) in [background.red, background.green, background.blue].enumerated() {
                        rows.composite(channel, over: level)
                    }
                    rows.pack(3, into: to.baseAddress! + y * self.width * 3)
                }
            }
        }
        return flat
    }

    /// RGB of pixels that are opaque; unchanged without alpha.
    func withoutAlpha() -> PixelBuffer {
        guard self.channels == 4 else { return self }
        var opaque = PixelBuffer(width: self.width, height: self.height, channels: 3)
        opaque.samples.withUnsafeMutableBufferPointer { to in
            self.samples.withUnsafeBufferPointer { from in
                for pixel in 0..<self.width * self.height {
                    for channel in 0..<3 { to[3 * pixel + channel] = from[4 * pixel + channel] }
                }
            }
        }
        return opaque
    }

    func rgba() -> PixelBuffer {
        guard self.channels != 4 else { return self }
        var all = PixelBuffer(width: self.width, height: self.height, channels: 4)
        all.samples.withUnsafeMutableBufferPointer { to in
            self.samples.withUnsafeBufferPointer { from in
                for pixel in 0..<self.width * self.height {
                    for channel in 0..<3 {
                        to[4 * pixel + channel] = from[self.channels == 1 ? pixel : 3 * pixel + channel]
                    }
                    to[4 * pixel + 3] = 255
                }
            }
        }
        return all
    }
}
