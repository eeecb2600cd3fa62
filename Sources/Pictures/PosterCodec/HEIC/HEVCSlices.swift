/// The slice segments of an item's HEVC data, the only units that the decoder gets beside the checked parameter sets.
struct HEVCSlices {
    /// The segments' units in the data, in order, without their lengths.
    let ranges: [Range<Int>]

    /// The number of a slice header's bytes that suffices up to its type.
    private static let headerLength = 24

    /// Reads all units, and the slices' headers up to their type.
    ///
    /// - Throws: ``CodecError/damaged(reason:)`` also unless the data is a single picture of intra slices, and
    ///   ``CodecError/overLimit(_:value:limit:)`` for too many units.
    init(
        _ data: UnsafeRawBufferPointer, _ configuration: HEVCConfiguration, limits: CodecLimits
    ) throws(CodecError) {
        var ranges: [Range<Int>] = []
        var (offset, unitCount) = (0, 0)
        while offset < data.count {
            let start = offset + configuration.lengthSize
            guard start <= data.count else { throw .damaged(reason: "a HEIC with a unit beyond its item") }
            let length = data.bigEndian(at: offset, byteCount: configuration.lengthSize)
            guard (2...Int(Int32.max)).contains(length), length <= data.count - start else {
                throw .damaged(reason: "a HEIC with a unit beyond its item")
            }
            unitCount += 1
            try CodecLimits.check(.codedUnits, unitCount, atMost: limits.maxCodedUnits)
            offset = start + length
            let kind = data[start] >> 1 & 63
            let layer = (data[start] & 1) << 5 | data[start + 1] >> 3
            // Metadata, other parameter sets, and layers beside the base, such as depth.
            guard kind < 32, layer == 0 else { continue }
            // Pictures at which decoding may begin.
            guard (16...21).contains(kind) else { throw .damaged(reason: "a HEIC with a picture that is not intra") }
            let header = UnsafeRawBufferPointer(rebasing: data[start..<min(offset, start + Self.headerLength)])
            try Self.withPayload(header.bytes) { (bits) throws(CodecError) in
                try Self.checkHeader(&bits, configuration, isFirst: ranges.isEmpty)
            }
            ranges.append(start..<offset)
        }
        guard !ranges.isEmpty else { throw .damaged(reason: "a HEIC without a picture") }
        self.ranges = ranges
    }

    /// Reads a slice segment's header up to its type (ITU-T H.265, 7.3.6.1).
    private static func checkHeader(
        _ bits: inout HeaderBitReader, _ configuration: HEVCConfiguration, isFirst: Bool
    ) throws(CodecError) {
        guard try bits.flag() == isFirst else { throw .damaged(reason: "a HEIC of several pictures in one item") }
        try bits.skip(1)
        guard try bits.variable() == configuration.picture.id else {
            throw .damaged(reason: "a HEIC without its parameter sets")
        }
        if !isFirst {
            let isDependent = try configuration.picture.hasDependentSlices ? bits.flag() : false
            let lastBlock = configuration.sequence.blockCount - 1
            let address = try bits.number(Int.bitWidth - lastBlock.leadingZeroBitCount)
            guard address > 0, address <= lastBlock else { throw .damaged(reason: "a HEIC with a slice outside it") }
            if isDependent { return }
        }
        try bits.skip(configuration.picture.extraBits)
        guard try bits.variable() == 2 else { throw .damaged(reason: "a HEIC with a picture that is not intra") }
    }

    /// Calls `body` with a unit after its header, without the bytes that prevent start codes (7.4.2).
    static func withPayload<Result>(
        _ unit: RawSpan, _ body: (inout HeaderBitReader) throws(CodecError) -> Result
    ) throws(CodecError) -> Result {
        let payload = unit.withUnsafeBytes { unit in
            var payload: [UInt8] = []
            var zeroCount = 0
            for byte in unit.dropFirst(2) {
                if zeroCount >= 2, byte == 3 {
                    zeroCount = 0
                    continue
                }
                zeroCount = byte == 0 ? zeroCount + 1 : 0
                payload.append(byte)
            }
            return payload
        }
        return try payload.span.bytes.withUnsafeBytes { (buffer) throws(CodecError) in
            var bits = HeaderBitReader(buffer)
            return try body(&bits)
        }
    }
}
