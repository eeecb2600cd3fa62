import CPosterCodecs

/// A decoded cell of a HEIF, which owns its planes.
final class HEIFCellPicture {
    /// The decoder that owns the planes; `nil` if they were copied.
    private let reader: LibraryObject?
    /// Copied planes: the planes of several cells take less memory without their decoders.
    private let copy: ScratchMemory<UInt8>?
    /// Luma, and two planes of chroma unless the picture is gray.
    private let planes: [(start: UnsafeRawPointer, stride: Int)]
    /// Whether the coded samples have full range.
    let isFullRange: Bool

    /// Decodes in one call, which cannot be stopped; the limit of pixels bounds its duration.
    ///
    /// - Parameter index: The index of the cell, row by row.
    init(
        _ cells: HEIFCells, at index: Int, in bytes: UnsafeRawBufferPointer, watch: RenderWatch
    ) throws(CodecError) {
        var created: OpaquePointer?
        let status = try HEIFPictures.withData(cells.extents[index], in: bytes) { (data) throws(CodecError) in
            Self.decode(data, of: cells, into: &created)
        }
        try watch.check(
            status, corrupt: .damaged(reason: "libavif cannot decode the AVIF's picture"),
            misuse: .damaged(reason: "libavif cannot decode the AVIF's picture as planned"))
        let reader = try LibraryObject(created, destroy: poster_avif_reader_destroy)
        var found = poster_avif_planes()
        poster_avif_reader_planes(reader.pointer, &found)
        self.isFullRange = found.is_full_range != 0
        let starts = [found.planes.0, found.planes.1, found.planes.2].prefix(cells.planeSizes.count)
        let strides = [found.strides.0, found.strides.1, found.strides.2]
        let planes = zip(starts, strides).compactMap { start, stride in
            start.map { (start: UnsafeRawPointer($0), stride: stride) }
        }
        guard planes.count == cells.planeSizes.count else {
            throw .internalError(reason: "a HEIF decoded without a plane")
        }
        if cells.columns == 1 {
            self.reader = consume reader
            self.copy = nil
            self.planes = planes
        } else {
            let memory = ScratchMemory<UInt8>(count: cells.planeSizes.reduce(0) { $0 + $1.rowBytes * $1.height })
            self.planes = Self.copied(planes, of: cells, to: memory.start)
            self.copy = consume memory
            self.reader = nil
        }
    }

    /// The first sample of a row of luma, or of blue or red chroma.
    func row(_ y: Int, of plane: Int) -> UnsafeRawPointer {
        self.planes[plane].start + y * self.planes[plane].stride
    }

    private static func decode(
        _ data: UnsafeRawBufferPointer, of cells: HEIFCells, into reader: inout OpaquePointer?
    ) -> poster_status {
        let configuration = cells.configuration
        let envelope = AVIFEnvelope(
            width: cells.cellWidth, height: cells.cellHeight, configuration: configuration, dataCount: data.count)
        var shape = poster_avif_shape(
            width: UInt32(cells.cellWidth), height: UInt32(cells.cellHeight), depth: UInt32(configuration.bitDepth),
            has_chroma: configuration.isMonochrome ? 0 : 1, halves_across: configuration.halvesAcross ? 1 : 0,
            halves_down: configuration.halvesDown ? 1 : 0)
        return envelope.bytes.withUnsafeBufferPointer { boxes in
            data.withMemoryRebound(to: UInt8.self) { data in
                guard let start = boxes.baseAddress, let dataStart = data.baseAddress else { return .misuse }
                var file = poster_avif_file(
                    boxes: start, box_count: boxes.count, data: dataStart, data_count: data.count)
                return poster_avif_reader_create(&file, &shape, &reader)
            }
        }
    }

    /// Copies planes without padding.
    private static func copied(
        _ planes: [(start: UnsafeRawPointer, stride: Int)], of cells: HEIFCells, to memory: UnsafeMutablePointer<UInt8>
    ) -> [(start: UnsafeRawPointer, stride: Int)] {
        var target = UnsafeMutableRawPointer(memory)
        var copied: [(start: UnsafeRawPointer, stride: Int)] = []
        for (plane, size) in zip(planes, cells.planeSizes) {
            copied.append((UnsafeRawPointer(target), size.rowBytes))
            for y in 0..<size.height {
                target.copyMemory(from: plane.start + y * plane.stride, byteCount: size.rowBytes)
                target += size.rowBytes
            }
        }
        return copied
    }
}

extension HEIFCells {
    fileprivate var planeSizes: [(rowBytes: Int, height: Int)] {
        let (across, down) = (self.configuration.halvesAcross ? 2 : 1, self.configuration.halvesDown ? 2 : 1)
        let sampleSize = self.configuration.bitDepth > 8 ? 2 : 1
        let luma = (rowBytes: self.cellWidth * sampleSize, height: self.cellHeight)
        guard !self.configuration.isMonochrome else { return [luma] }
        let chroma = (
            rowBytes: (self.cellWidth + across - 1) / across * sampleSize, height: (self.cellHeight + down - 1) / down
        )
        return [luma, chroma, chroma]
    }
}
