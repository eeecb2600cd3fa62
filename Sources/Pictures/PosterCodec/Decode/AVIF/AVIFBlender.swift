/// Multiplies rows of an AVIF by its alpha, after chroma was enlarged and converted to RGB.
final class AVIFBlender {
    private let file: AVIFLayout
    /// nil for gray and for RGB.
    private let converter: YCbCrToRGB?
    private let full: AVIFSampleTable
    private let limited: AVIFSampleTable
    /// Two rows of chroma.
    private let scratch: ScratchMemory<UInt8>

    init(_ file: AVIFLayout) throws(CodecError) {
        self.file = file
        let depth = file.alpha?.configuration.bitDepth ?? 8
        self.full = AVIFSampleTable(.expanded, bitDepth: depth, isFullRange: true)
        self.limited = AVIFSampleTable(.expanded, bitDepth: depth, isFullRange: false)
        let isConverted = !file.colours.isRGB && !file.cells.configuration.isMonochrome
        self.converter =
            isConverted
            ? YCbCrToRGB(try file.colours.yCbCrMatrix(), isLimitedRange: !file.colours.isFullRange) : nil
        self.scratch = ScratchMemory(count: file.part.width + 2)
    }

    /// Blends row `y` of the coded picture, which is loaded.
    ///
    /// - Parameter targets: The row of each plane: gray and alpha, or RGB and alpha.
    func blend(
        _ y: Int, of colours: AVIFRows, tables: [AVIFSampleTable], alpha: AVIFRows,
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
                try self.enlarge(y, of: plane, in: colours, as: tables[plane], into: targets[plane])
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

    /// Reads a row of chroma at full size: a sample counts three times as much as its neighbour on the side of the pixel.
    private func enlarge(
        _ y: Int, of plane: Int, in colours: AVIFRows, as table: AVIFSampleTable,
        into target: UnsafeMutablePointer<UInt8>
    ) throws(CodecError) {
        let half = colours.half(of: plane)
        let (left, width) = (self.file.part.left, self.file.part.width)
        guard half.across == 2 else {
            return try colours.read(y, of: plane, from: left, count: width, as: table, into: target)
        }
        let count = (width + 1) / 2
        let near = self.scratch.start
        try colours.read(y / half.down, of: plane, from: left / 2, count: count, as: table, into: near)
        if half.down == 2 {
            let far = near + count
            // At the edge of a row of cells the nearest row counts alone.
            let rows = colours.rows(of: plane)
            let other = min(max(y % 2 == 0 ? y / 2 - 1 : y / 2 + 1, rows.lowerBound), rows.upperBound - 1)
            try colours.read(other, of: plane, from: left / 2, count: count, as: table, into: far)
            for x in 0..<count { near[x] = Self.mean(near[x], far[x]) }
        }
        for x in 0..<width {
            let other = min(max(x % 2 == 0 ? x / 2 - 1 : x / 2 + 1, 0), count - 1)
            target[x] = Self.mean(near[x / 2], near[other])
        }
    }

    @inline(__always)
    private static func mean(_ near: UInt8, _ far: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: (3 &* UInt16(near) &+ UInt16(far) &+ 2) &>> 2)
    }
}
