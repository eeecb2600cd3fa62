import CPosterCodecs

/// Decodes a picture of HEVC with libde265.
enum HEVCPictureReader {
    /// Decodes slice by slice; between slices the work can be stopped.
    ///
    /// - Parameters:
    ///   - data: The data of an item.
    ///   - planes: Is set to the decoded planes, which belong to the returned reader.
    static func read(
        _ data: UnsafeRawBufferPointer, _ configuration: HEVCConfiguration, _ watch: RenderWatch,
        into planes: inout poster_planes
    ) throws(CodecError) -> LibraryObject {
        let slices = try HEVCSlices(data, configuration, limits: watch.limits)
        let sequence = configuration.sequence
        let samples = sequence.samples
        var shape = poster_hevc_shape(
            coded_width: UInt32(clamping: sequence.codedWidth), coded_height: UInt32(clamping: sequence.codedHeight),
            left: UInt32(sequence.left), top: UInt32(sequence.top), depth: UInt32(samples.bitDepth),
            has_chroma: samples.isMonochrome ? 0 : 1, halves_across: samples.halvesAcross ? 1 : 0,
            halves_down: samples.halvesDown ? 1 : 0)
        func check(_ status: poster_status) throws(CodecError) {
            try watch.check(
                status, corrupt: .damaged(reason: "libde265 cannot decode the HEIC's picture"),
                misuse: .damaged(reason: "libde265 cannot decode the HEIC's picture as planned"))
        }
        var created: OpaquePointer?
        try check(poster_hevc_reader_create(&shape, &created))
        let reader = try LibraryObject(created, destroy: poster_hevc_reader_destroy)
        for unit in configuration.units { try check(Self.push(unit.span.bytes, to: reader.pointer)) }
        for range in slices.ranges {
            try watch.check()
            try check(Self.push(UnsafeRawBufferPointer(rebasing: data[range]).bytes, to: reader.pointer))
        }
        try check(poster_hevc_reader_finish(reader.pointer))
        poster_hevc_reader_planes(reader.pointer, &planes)
        return reader
    }

    private static func push(_ unit: RawSpan, to reader: OpaquePointer) -> poster_status {
        unit.withUnsafeBytes { unit in
            unit.withMemoryRebound(to: UInt8.self) { unit in
                unit.baseAddress.map { poster_hevc_reader_push(reader, $0, unit.count) } ?? .misuse
            }
        }
    }
}
