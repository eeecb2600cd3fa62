import CPosterCodecs

/// A decoded cell of a HEIF, which owns its planes.
final class HEIFCellPicture {
    /// The decoder that owns the planes; `nil` if they were copied.
    private let reader: LibraryObject?
    /// Copied planes: the planes of several cells of AV1 take less memory without their decoders.
    private let copy: ScratchMemory<UInt8>?
    /// Luma, and two planes of chroma unless the picture is gray.
    private let planes: [(start: UnsafeRawPointer, stride: Int)]
    /// Whether the coded samples have full range.
    let isFullRange: Bool

    /// - Parameter index: The index of the cell, row by row.
    init(
        _ cells: HEIFCells, at index: Int, in bytes: UnsafeRawBufferPointer, watch: RenderWatch
    ) throws(CodecError) {
        var found = poster_planes()
        let reader = try HEIFPictures.withData(cells.extents[index], in: bytes) {
            (data) throws(CodecError) -> LibraryObject in
            switch cells.configuration {
            case .av1(let samples): return try AVIFPictureReader.read(data, of: cells, samples, watch, into: &found)
            case .hevc(let hevc): return try HEVCPictureReader.read(data, hevc, watch, into: &found)
            }
        }
        self.isFullRange = found.is_full_range != 0
        let starts = [found.planes.0, found.planes.1, found.planes.2].prefix(cells.planeSizes.count)
        let strides = [found.strides.0, found.strides.1, found.strides.2]
        let planes = zip(starts, strides).compactMap { start, stride in
            start.map { (start: UnsafeRawPointer($0), stride: stride) }
        }
        guard planes.count == cells.planeSizes.count else {
            throw .internalError(reason: "a HEIF decoded without a plane")
        }
        if cells.columns == 1 || cells.isHEVC {
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
    fileprivate var isHEVC: Bool {
        if case .hevc = self.configuration { true } else { false }
    }

    fileprivate var planeSizes: [(rowBytes: Int, height: Int)] {
        let (across, down) = (self.samples.halvesAcross ? 2 : 1, self.samples.halvesDown ? 2 : 1)
        let sampleSize = self.samples.bitDepth > 8 ? 2 : 1
        let luma = (rowBytes: self.cellWidth * sampleSize, height: self.cellHeight)
        guard !self.samples.isMonochrome else { return [luma] }
        let chroma = (
            rowBytes: (self.cellWidth + across - 1) / across * sampleSize, height: (self.cellHeight + down - 1) / down
        )
        return [luma, chroma, chroma]
    }
}
