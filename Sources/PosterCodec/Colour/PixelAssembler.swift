/// Makes sRGB pixels of full-size planes.
struct PixelAssembler {
    let model: PlaneModel
    /// nil when the colours are sRGB already, or when nobody said what they are.
    let transform: ColourTransform?

    /// The conversion that `tag` asks for, of pixels of this model.
    static func transform(for tag: ColourTag, model: PlaneModel) -> ColourTransform? {
        let input: ColourTransform.Input =
            switch model.colour {
            case .gray: .gray
            case .yCbCr, .rgb: .rgb
            case .cmyk, .ycck: .cmyk
            }
        return ColourTransforms.shared.transform(for: tag, input: input)
    }

    /// - Parameter planes: All of one size, as the model says.
    func pixels(_ planes: [Plane], watch: RenderWatch) throws(CodecError) -> PixelBuffer {
        let (width, height) = (planes[0].width, planes[0].height)
        let isGray = self.model.colour == .gray && self.transform == nil && !self.model.hasAlpha
        var buffer = PixelBuffer(width: width, height: height, channels: isGray ? 1 : self.model.hasAlpha ? 4 : 3)
        let inks = self.model.colour.planeCount
        var row = [UInt8](repeating: 0, count: width * inks)
        var rgb = [UInt8](repeating: 0, count: width * 3)
        for y in 0..<height {
            if y % 64 == 0 { try watch.check() }
            self.interleave(planes.prefix(inks), y: y, into: &row)
            if self.model.hasAlpha { Self.divide(&row, inks: inks, by: planes[inks], y: y, width: width) }
            self.decode(&row, width: width)
            if isGray {
                buffer.samples.replaceSubrange(y * width..<(y + 1) * width, with: row)
                continue
            }
            if let transform {
                transform.apply(row, to: &rgb, count: width)
            } else {
                self.toRGB(row, into: &rgb, width: width)
            }
            Self.store(rgb, alpha: self.model.hasAlpha ? planes[inks] : nil, y: y, in: &buffer)
        }
        return buffer
    }

    private func interleave(_ planes: ArraySlice<Plane>, y: Int, into row: inout [UInt8]) {
        row.withUnsafeMutableBufferPointer { to in
            for (channel, plane) in planes.enumerated() {
                plane.samples.withUnsafeBufferPointer { from in
                    let start = y * plane.stride
                    for x in 0..<plane.width { to[x * planes.count + channel] = from[start + x] }
                }
            }
        }
    }

    /// Undoes the multiplication by alpha, which was there so that hidden colours do not bleed into visible ones.
    private static func divide(_ row: inout [UInt8], inks: Int, by alpha: Plane, y: Int, width: Int) {
        row.withUnsafeMutableBufferPointer { row in
            alpha.samples.withUnsafeBufferPointer { alphas in
                for x in 0..<width {
                    let alpha = Int(alphas[y * alpha.stride + x])
                    guard alpha != 255, alpha != 0 else { continue }
                    for ink in x * inks..<(x + 1) * inks {
                        row[ink] = UInt8(min(255, (Int(row[ink]) * 255 + alpha / 2) / alpha))
                    }
                }
            }
        }
    }

    /// Y′CbCr to RGB (ITU-R BT.601, ITU-T T.871), and YCCK to CMYK.
    private func decode(_ row: inout [UInt8], width: Int) {
        let inks = self.model.colour.planeCount
        let isYCCK = self.model.colour == .ycck
        guard self.model.colour == .yCbCr || isYCCK else {
            if self.model.colour == .gray, self.model.isLimitedRange {
                for x in 0..<width { row[x] = UInt8(min(255, max(0, (Int(row[x]) - 16) * 255 + 109) / 219)) }
            }
            return
        }
        // 16 fractional bits; limited range is stretched on the way.
        let isLimited = self.model.isLimitedRange
        let unit = 65536.0
        let luma = Int((unit * (isLimited ? 255 / 219.0 : 1)).rounded())
        let chroma = isLimited ? 255 / 224.0 : 1
        let offset = isLimited ? 16 : 0
        let redFromRed = Int((unit * chroma * 1.402).rounded())
        let greenFromBlue = Int((unit * chroma * 0.344136).rounded())
        let greenFromRed = Int((unit * chroma * 0.714136).rounded())
        let blueFromBlue = Int((unit * chroma * 1.772).rounded())
        row.withUnsafeMutableBufferPointer { row in
            for x in 0..<width {
                let at = x * inks
                let y = (Int(row[at]) - offset) * luma + 32768
                let blue = Int(row[at + 1]) - 128
                let red = Int(row[at + 2]) - 128
                let values = (
                    y + redFromRed * red, y - greenFromBlue * blue - greenFromRed * red, y + blueFromBlue * blue
                )
                let invert: UInt8 = isYCCK ? 255 : 0
                row[at] = UInt8(min(255, max(0, values.0 >> 16))) ^ invert
                row[at + 1] = UInt8(min(255, max(0, values.1 >> 16))) ^ invert
                row[at + 2] = UInt8(min(255, max(0, values.2 >> 16))) ^ invert
            }
        }
    }

    /// Without a profile. Browsers show CMYK so: each ink takes its part of the light that black leaves.
    private func toRGB(_ row: [UInt8], into rgb: inout [UInt8], width: Int) {
        row.withUnsafeBufferPointer { from in
            rgb.withUnsafeMutableBufferPointer { to in
                switch self.model.colour {
                case .gray:
                    for x in 0..<width {
                        (to[3 * x], to[3 * x + 1], to[3 * x + 2]) = (from[x], from[x], from[x])
                    }
                case .rgb, .yCbCr:
                    for index in 0..<3 * width { to[index] = from[index] }
                case .cmyk, .ycck:
                    for x in 0..<width {
                        let black = Int(from[4 * x + 3])
                        for ink in 0..<3 { to[3 * x + ink] = UInt8((Int(from[4 * x + ink]) * black + 127) / 255) }
                    }
                }
            }
        }
    }

    private static func store(_ rgb: [UInt8], alpha: Plane?, y: Int, in buffer: inout PixelBuffer) {
        let width = buffer.width
        rgb.withUnsafeBufferPointer { rgb in
            buffer.samples.withUnsafeMutableBufferPointer { to in
                guard let alpha else {
                    (to.baseAddress! + y * width * 3).update(from: rgb.baseAddress!, count: width * 3)
                    return
                }
                alpha.samples.withUnsafeBufferPointer { alphas in
                    for x in 0..<width {
                        let at = (y * width + x) * 4
                        (to[at], to[at + 1], to[at + 2]) = (rgb[3 * x], rgb[3 * x + 1], rgb[3 * x + 2])
                        to[at + 3] = alphas[y * alpha.stride + x]
                    }
                }
            }
        }
    }
}
