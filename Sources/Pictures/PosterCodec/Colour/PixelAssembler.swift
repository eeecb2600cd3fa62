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

    /// Gray stays one channel, unless its profile tints it.
    private var channels: Int {
        if self.model.hasAlpha { return 4 }
        return self.model.colour == .gray && (self.transform == nil || self.transform?.grayLevels != nil) ? 1 : 3
    }

    /// - Parameter planes: All of one size, as the model says.
    func pixels(_ planes: [Plane], watch: RenderWatch) throws(CodecError) -> PixelBuffer {
        let (width, height) = (planes[0].width, planes[0].height)
        var buffer = PixelBuffer(width: width, height: height, channels: self.channels)
        let rows = ChannelRows(width: width)
        let decoder = YCbCrDecoder(isLimitedRange: self.model.isLimitedRange)
        let divider = AlphaDivider(width: self.model.hasAlpha ? width : 0)
        for y in 0..<height {
            if y % 64 == 0 { try watch.check() }
            self.read(planes, y: y, into: rows, divider: divider)
            self.decode(rows, decoder: decoder)
            buffer.samples.withUnsafeMutableBufferPointer {
                self.store(rows, into: $0.baseAddress! + y * width * buffer.channels)
            }
        }
        return buffer
    }

    /// Colours multiplied by alpha are divided again: that was there so that hidden ones do not bleed into visible ones.
    private func read(_ planes: [Plane], y: Int, into rows: borrowing ChannelRows, divider: borrowing AlphaDivider) {
        let inks = self.model.colour.planeCount
        if self.model.hasAlpha {
            planes[inks].withRow(y) { rows.alpha.update(from: $0, count: rows.width) }
            divider.prepare(rows.alpha)
        }
        for ink in 0..<inks {
            planes[ink].withRow(y) { row in
                if self.model.hasAlpha {
                    divider.divide(row, by: rows.alpha, into: rows[ink])
                } else {
                    rows[ink].update(from: row, count: rows.width)
                }
            }
        }
    }

    /// To gray, RGB or CMYK.
    private func decode(_ rows: borrowing ChannelRows, decoder: YCbCrDecoder) {
        switch self.model.colour {
        case .gray: if self.model.isLimitedRange { decoder.decodeGray(rows[0], width: rows.width) }
        case .yCbCr: decoder.decode(rows[0], rows[1], rows[2], width: rows.width)
        case .ycck:
            decoder.decode(rows[0], rows[1], rows[2], width: rows.width)
            // Light is coded, its complement is meant.
            for ink in 0..<3 { rows.complement(ink) }
        case .rgb, .cmyk: break
        }
    }

    private func store(_ rows: borrowing ChannelRows, into pixels: UnsafeMutablePointer<UInt8>) {
        let inks = self.model.colour.planeCount
        if let levels = self.transform?.grayLevels {
            rows.map(0, to: levels)
        } else if let transform {
            rows.pack(inks, into: rows.packed)
            guard self.model.hasAlpha else { return transform.apply(rows.packed, to: pixels, count: rows.width) }
            transform.apply(rows.packed, to: rows.converted, count: rows.width)
            rows.unpack(rows.converted)
            return rows.packWithAlpha(into: pixels)
        }
        switch (self.model.colour, self.model.hasAlpha) {
        case (.gray, false): return pixels.update(from: rows[0], count: rows.width)
        case (.gray, true): for ink in 1..<3 { rows[ink].update(from: rows[0], count: rows.width) }
        case (.cmyk, _), (.ycck, _): rows.shine()
        default: break
        }
        if self.model.hasAlpha { rows.packWithAlpha(into: pixels) } else { rows.pack(3, into: pixels) }
    }
}

extension Plane {
    fileprivate func withRow(_ y: Int, _ body: (UnsafePointer<UInt8>) -> Void) {
        self.samples.withUnsafeBufferPointer { body($0.baseAddress! + y * self.stride) }
    }
}
