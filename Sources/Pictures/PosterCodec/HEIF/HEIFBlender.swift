/// Premultiplies rows of a HEIF by its alpha, after enlarging chroma and converting to RGB.
final class HEIFBlender {
    private let file: HEIFLayout
    /// `nil` for gray and for RGB.
    private let converter: YCbCrToRGB?
    private let full: HEIFSampleTable
    private let limited: HEIFSampleTable
    private let enlarger: HEIFChromaEnlarger

    init(_ file: HEIFLayout) throws(CodecError) {
        self.file = file
        let depth = file.alpha?.samples.bitDepth ?? 8
        self.full = HEIFSampleTable(.expanded, bitDepth: depth, isFullRange: true)
        self.limited = HEIFSampleTable(.expanded, bitDepth: depth, isFullRange: false)
        let isConverted = !file.colours.isRGB && !file.cells.samples.isMonochrome
        self.converter =
            isConverted
            ? YCbCrToRGB(try file.colours.yCbCrMatrix(), isLimitedRange: !file.colours.isFullRange) : nil
        self.enlarger = HEIFChromaEnlarger(file)
    }

    /// Blends row `y` of the coded picture, which must be loaded.
    ///
    /// - Parameter targets: The row of each plane: gray and alpha, or RGB and alpha.
    func blend(
        _ y: Int, of colours: HEIFRows, tables: [HEIFSampleTable], alpha: HEIFRows,
        into targets: [UnsafeMutablePointer<UInt8>]
    ) throws(CodecError) {
        let (left, width) = (self.file.part.left, self.file.part.width)
        let opacity = targets[targets.count - 1]
        if alpha.isFullRange {
            try alpha.read(y, of: 0, from: left, count: width, as: self.full, into: opacity)
        } else {
            try alpha.read(y, of: 0, from: left, count: width, as: self.limited, into: opacity)
        }
        let colourCount = targets.count - 1
        if let converter {
            try colours.read(y, of: 0, from: left, count: width, as: tables[0], into: targets[0])
            for plane in 1...2 {
                try self.enlarger.read(y, of: plane, in: colours, as: tables[plane], into: targets[plane])
            }
            converter.decode(targets[0], targets[1], targets[2], width: width)
        } else {
            for index in 0..<colourCount {
                let plane = colourCount == 3 ? (index + 2) % 3 : index
                try colours.read(y, of: plane, from: left, count: width, as: tables[plane], into: targets[index])
            }
        }
        for index in 0..<colourCount { self.multiply(targets[index], by: opacity) }
    }

    private func multiply(_ row: UnsafeMutablePointer<UInt8>, by alpha: UnsafePointer<UInt8>) {
        let width = self.file.part.width
        if self.file.isPremultiplied {
            for x in 0..<width { row[x] = min(row[x], alpha[x]) }
        } else {
            for x in 0..<width {
                let product = UInt16(row[x]) &* UInt16(alpha[x]) &+ 128
                row[x] = UInt8(truncatingIfNeeded: (product &+ product &>> 8) &>> 8)
            }
        }
    }
}
