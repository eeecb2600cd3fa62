import CPosterCodecs

/// Decodes a picture of AV1 with libavif.
enum AVIFPictureReader {
    /// Decodes in one call, which cannot be stopped; the limit of pixels bounds its duration.
    ///
    /// - Parameters:
    ///   - data: The data of one of `cells`.
    ///   - planes: Is set to the decoded planes, which belong to the returned decoder.
    static func read(
        _ data: UnsafeRawBufferPointer, of cells: HEIFCells, _ samples: SampleFormat, _ watch: RenderWatch,
        into planes: inout poster_planes
    ) throws(CodecError) -> LibraryObject {
        var created: OpaquePointer?
        let status = Self.decode(data, of: cells, samples, into: &created)
        try watch.check(
            status, corrupt: .damaged(reason: "libavif cannot decode the AVIF's picture"),
            misuse: .damaged(reason: "libavif cannot decode the AVIF's picture as planned"))
        let reader = try LibraryObject(created, destroy: poster_avif_reader_destroy)
        poster_avif_reader_planes(reader.pointer, &planes)
        return reader
    }

    private static func decode(
        _ data: UnsafeRawBufferPointer, of cells: HEIFCells, _ samples: SampleFormat,
        into reader: inout OpaquePointer?
    ) -> poster_status {
        let envelope = AVIFEnvelope(
            width: cells.cellWidth, height: cells.cellHeight, configuration: samples, dataCount: data.count)
        var shape = poster_avif_shape(
            width: UInt32(cells.cellWidth), height: UInt32(cells.cellHeight), depth: UInt32(samples.bitDepth),
            has_chroma: samples.isMonochrome ? 0 : 1, halves_across: samples.halvesAcross ? 1 : 0,
            halves_down: samples.halvesDown ? 1 : 0)
        return envelope.bytes.withUnsafeBufferPointer { boxes in
            data.withMemoryRebound(to: UInt8.self) { data in
                guard let start = boxes.baseAddress, let dataStart = data.baseAddress else { return .misuse }
                var file = poster_avif_file(
                    boxes: start, box_count: boxes.count, data: dataStart, data_count: data.count)
                return poster_avif_reader_create(&file, &shape, &reader)
            }
        }
    }
}
