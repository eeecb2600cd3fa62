/// A JPEG's frame header (ITU-T T.81, B.2.2).
struct JPEGFrame {
    let width, height: Int
    /// The bits of a sample; always 8.
    let precision: Int
    let isProgressive: Bool
    let sampling: [ImageHeader.SamplingFactors]
    let componentIDs: [UInt8]
    /// The index of each component's quantisation table.
    let quantisers: [Int]

    /// - Throws: ``CodecError/unsupported(_:)`` for processes that the installed libjpeg-turbo does not decode.
    init(marker: UInt8, payload: UnsafeRawBufferPointer) throws(CodecError) {
        switch marker {
        case 0xC0, 0xC1, 0xC9: self.isProgressive = false
        case 0xC2, 0xCA: self.isProgressive = true
        case 0xC3, 0xCB: throw .unsupported("lossless JPEG")
        default: throw .unsupported("hierarchical JPEG")
        }
        guard payload.count >= 6 else { throw .damaged(reason: "a JPEG frame header that is too short") }
        self.precision = Int(payload[0])
        self.height = Int(payload[1]) << 8 | Int(payload[2])
        self.width = Int(payload[3]) << 8 | Int(payload[4])
        let count = Int(payload[5])
        guard payload.count >= 6 + 3 * count, count >= 1 else {
            throw .damaged(reason: "a JPEG frame header that is too short")
        }
        guard self.width > 0 else { throw .damaged(reason: "a JPEG of no width") }
        guard self.height > 0 else { throw .unsupported("JPEG with its height after the picture (DNL)") }
        guard self.precision == 8 else { throw .unsupported("\(self.precision)-bit JPEG") }
        guard count == 1 || count == 3 || count == 4 else { throw .unsupported("JPEG of \(count) components") }
        var sampling: [ImageHeader.SamplingFactors] = []
        for index in 0..<count {
            let factors = payload[6 + 3 * index + 1]
            let (horizontal, vertical) = (Int(factors >> 4), Int(factors & 15))
            guard (1...4).contains(horizontal), (1...4).contains(vertical) else {
                throw .damaged(reason: "a JPEG sampling factor of \(horizontal)×\(vertical)")
            }
            sampling.append(.init(horizontal: horizontal, vertical: vertical))
        }
        self.sampling = sampling
        self.componentIDs = (0..<count).map { payload[6 + 3 * $0] }
        self.quantisers = (0..<count).map { Int(payload[8 + 3 * $0]) }
    }
}

/// The application segments by which libjpeg decides the colour model, which JPEG itself does not declare.
struct JPEGColourMarkers {
    var hasJFIF = false
    /// The transform of Adobe's APP14 segment: 0 none, 1 Y'CbCr, 2 YCCK.
    var adobeTransform: UInt8?

    func colourModel(of frame: JPEGFrame) -> ImageHeader.ColourModel {
        switch frame.sampling.count {
        case 1: return .gray
        case 3:
            if self.hasJFIF { return .yCbCr }
            if let transform = self.adobeTransform { return transform == 0 ? .rgb : .yCbCr }
            return frame.componentIDs == Array("RGB".utf8) ? .rgb : .yCbCr
        default: return self.adobeTransform ?? 0 == 0 ? .cmyk : .ycck
        }
    }
}
