import CPosterCodecs

/// The coefficients of a refined JPEG: transformed while rows arrive, quantised in place when all are there.
///
/// As in mozjpeg: trellis quantisation with errors that texture masks, other quantisers than T.81's, and measured scans.
struct JPEGRefinement {
    private var components: [JPEGComponentBlocks] = []
    private let quality: Int
    private let halvesChroma: Bool
    private let isProgressive: Bool

    /// The spectral bands of luma in a progressive file.
    private static let lumaBands = [1...8, 9...63]

    /// - Parameters:
    ///   - blocks: The memory of each component.
    ///   - width: In pixels.
    ///   - height: In pixels.
    init(_ encoder: JPEGEncoder, blocks: [poster_jpeg_plane_blocks], width: Int, height: Int) {
        self.quality = encoder.quality
        self.halvesChroma = encoder.lumaFactors.horizontal == 2
        self.isProgressive = encoder.isProgressive
        for (index, blocks) in blocks.enumerated() {
            let across = index == 0 ? 1 : encoder.lumaFactors.horizontal
            let down = index == 0 ? 1 : encoder.lumaFactors.vertical
            let (width, height) = ((width + across - 1) / across, (height + down - 1) / down)
            self.components.append(JPEGComponentBlocks(blocks, width: width, height: height))
        }
    }

    /// Transforms the next rows.
    mutating func add(_ planes: [Plane], watch: RenderWatch) throws(CodecError) {
        for index in self.components.indices { try self.components[index].add(planes[index], watch: watch) }
    }

    /// Quantises the coefficients, and returns the quantisers and scans of the file.
    func quantise(watch: RenderWatch) throws(CodecError) -> poster_jpeg_script {
        var script = poster_jpeg_script()
        let quantisers = [true, false].map {
            JPEGQuantiser(isLuma: $0, quality: self.quality, halvesChroma: self.halvesChroma)
        }
        withUnsafeMutableBytes(of: &script.quantisers) { bytes in
            let steps = bytes.bindMemory(to: UInt16.self)
            for (index, quantiser) in quantisers.enumerated() { steps.update(from: quantiser.steps, at: 64 * index) }
        }
        for (index, component) in self.components.enumerated() {
            let bands = index == 0 && self.isProgressive ? Self.lumaBands : [1...63]
            try component.quantise(quantisers[min(index, 1)], bands: bands, watch: watch)
        }
        if self.isProgressive { self.addScans(to: &script) }
        return script
    }

    /// Scans measured as the smallest: luma in two bands without its lowest bit, which follows last; chroma at once.
    private func addScans(to script: inout poster_jpeg_script) {
        let count = UInt8(self.components.count)
        var scans = [poster_jpeg_scan(component: 0, component_count: count, first: 0, last: 0, high_bit: 0, low_bit: 0)]
        func add(_ component: UInt8, _ band: ClosedRange<Int>, high: UInt8 = 0, low: UInt8 = 0) {
            scans.append(
                poster_jpeg_scan(
                    component: component, component_count: 1, first: UInt8(band.lowerBound),
                    last: UInt8(band.upperBound), high_bit: high, low_bit: low))
        }
        add(0, Self.lumaBands[0], low: 1)
        for component in 1..<max(count, 1) { add(component, 1...63) }
        add(0, Self.lumaBands[1], low: 1)
        add(0, 1...63, high: 1)
        script.scan_count = UInt32(scans.count)
        withUnsafeMutableBytes(of: &script.scans) { bytes in
            bytes.bindMemory(to: poster_jpeg_scan.self).update(from: scans, at: 0)
        }
    }
}

extension UnsafeMutableBufferPointer {
    fileprivate func update(from elements: [Element], at start: Int) {
        _ = UnsafeMutableBufferPointer(rebasing: self[start..<start + elements.count]).update(from: elements)
    }
}
