import CPosterCodecs

/// Decides whether a JPEG without a proper end of image has the data of all its blocks, by decoding its scans.
enum JPEGScanCheck {
    /// - Returns: `false` also for files that ``JPEGScanSet`` leaves to libjpeg.
    /// - Throws: ``CodecError/overLimit(_:value:limit:)`` or ``CodecError/stopped``.
    static func hasAllBlocks(_ bytes: UnsafeRawBufferPointer, watch: RenderWatch) throws(CodecError) -> Bool {
        guard let scans = JPEGScanSet(bytes, ranges: [0..<bytes.count], smooths: true), let frame = scans.frame else {
            return false
        }
        try CodecLimits.check(.scans, scans.scans.count, atMost: watch.limits.maxScans)
        var layout = poster_jpeg_layout()
        var group = poster_jpeg_group()
        let coefficients = ScratchMemory<Int16>(count: 64 * Self.lay(out: frame, &layout, &group))
        var start = coefficients.start
        for index in 0..<Int(layout.component_count) {
            group[index].coefficients = start
            start += 64 * Int(group[index].blocks_per_row * layout[index].vertical)
        }
        var reader = JPEGGroupReader(scans, of: bytes, group: group, layout: layout)
        for _ in 0..<layout.group_count {
            try watch.check()
            guard reader.readGroup() else { return false }
        }
        return true
    }

    /// Lays out the groups of a frame like libjpeg (ITU-T T.81, A.2.4).
    ///
    /// - Returns: The number of blocks per group.
    private static func lay(
        out frame: JPEGFrame, _ layout: inout poster_jpeg_layout, _ group: inout poster_jpeg_group
    ) -> Int {
        let most = ImageHeader.SamplingFactors.largest(of: frame.components.lazy.map(\.sampling))
        let (unitWidth, unitHeight) = (8 * most.horizontal, 8 * most.vertical)
        let unitsAcross = (frame.width + unitWidth - 1) / unitWidth
        layout.component_count = UInt32(frame.components.count)
        layout.group_count = UInt32((frame.height + unitHeight - 1) / unitHeight)
        var blockCount = 0
        for (index, component) in frame.components.enumerated() {
            let (across, down) = (component.sampling.horizontal, component.sampling.vertical)
            layout[index].horizontal = UInt32(across)
            layout[index].vertical = UInt32(down)
            group[index].blocks_per_row = UInt32(unitsAcross * across)
            group[index].blocks_across = UInt32((frame.width * across + unitWidth - 1) / unitWidth)
            group[index].blocks_down = UInt32((frame.height * down + unitHeight - 1) / unitHeight)
            blockCount += unitsAcross * across * down
        }
        return blockCount
    }
}

extension poster_jpeg_layout {
    fileprivate subscript(index: Int) -> poster_jpeg_plane {
        get { [self.planes.0, self.planes.1, self.planes.2, self.planes.3][index] }
        set {
            switch index {
            case 0: self.planes.0 = newValue
            case 1: self.planes.1 = newValue
            case 2: self.planes.2 = newValue
            default: self.planes.3 = newValue
            }
        }
    }
}

extension poster_jpeg_group {
    fileprivate subscript(index: Int) -> poster_jpeg_blocks {
        get { [self.components.0, self.components.1, self.components.2, self.components.3][index] }
        set {
            switch index {
            case 0: self.components.0 = newValue
            case 1: self.components.1 = newValue
            case 2: self.components.2 = newValue
            default: self.components.3 = newValue
            }
        }
    }
}
