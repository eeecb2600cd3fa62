/// Maps luma to a gradient of two colours: `dark` for black, `light` for white.
struct Duotone: Hashable, Sendable {
    let dark, light: RenderTarget.Colour

    /// Returns RGB pixels with the original alpha.
    func pixels(_ pixels: PixelBuffer) -> PixelBuffer {
        let (width, channels) = (pixels.width, pixels.channels)
        let resultChannels = channels == 4 ? 4 : 3
        var result = PixelBuffer(width: width, height: pixels.height, channels: resultChannels)
        let rows = ChannelRows(width: width)
        result.samples.withUnsafeMutableBufferPointer { to in
            pixels.samples.withUnsafeBufferPointer { from in
                for y in 0..<pixels.height {
                    Self.readLuma(from.baseAddress! + y * width * channels, channels: channels, into: rows)
                    self.colour(rows)
                    let row = to.baseAddress! + y * width * resultChannels
                    if resultChannels == 4 { rows.packWithAlpha(into: row) } else { rows.pack(3, into: row) }
                }
            }
        }
        return result
    }

    /// Writes the luma of a row to ``ChannelRows/packed``.
    private static func readLuma(
        _ pixels: UnsafePointer<UInt8>, channels: Int, into rows: borrowing ChannelRows
    ) {
        let (luma, width) = (rows.packed, rows.width)
        guard channels > 1 else { return luma.update(from: pixels, count: width) }
        rows.unpack(pixels, channels: channels)
        let (red, green, blue) = (rows[0], rows[1], rows[2])
        for x in 0..<width {
            let sum = 77 &* UInt16(red[x]) &+ 150 &* UInt16(green[x]) &+ 29 &* UInt16(blue[x])
            luma[x] = UInt8(truncatingIfNeeded: sum &>> 8)
        }
    }

    private func colour(_ rows: borrowing ChannelRows) {
        let (luma, width) = (rows.packed, rows.width)
        let levels = [
            (self.dark.red, self.light.red), (self.dark.green, self.light.green), (self.dark.blue, self.light.blue),
        ]
        for (channel, (dark, light)) in levels.enumerated() {
            let row = rows[channel]
            for x in 0..<width {
                let sum = UInt16(dark) &* UInt16(255 &- luma[x]) &+ UInt16(light) &* UInt16(luma[x])
                row[x] = UInt8(truncatingIfNeeded: (sum &+ 127) / 255)
            }
        }
    }
}
