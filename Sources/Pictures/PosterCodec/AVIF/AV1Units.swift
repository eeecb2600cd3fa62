/// The units of an item's AV1 data (AV1 specification, 5.3), read without decoding.
struct AV1Units: Hashable {
    let sequence: AV1SequenceHeader
    /// The number of coded pictures: one, or one or more per layer.
    let pictureCount: Int
    /// Maximum number of tiles per picture.
    let tileCount: Int

    private enum Kind {
        static let sequenceHeader = 1
        static let frameHeader = 3
        static let metadata = 5
        static let frame = 6
    }

    /// Maximum bytes of a sequence header, which has some 400 with all its operating points; it is read bit by bit.
    static let longestHeader = 1024
    /// Maximum bytes of metadata, which a decoder copies. High dynamic range takes some hundred.
    static let mostMetadata = 64 << 10

    /// Reads all units.
    ///
    /// - Throws: ``CodecError/damaged(reason:)``, or ``CodecError/overLimit(_:value:limit:)`` for too many units or
    ///   pictures.
    init(_ data: UnsafeRawBufferPointer, limits: CodecLimits) throws(CodecError) {
        var header: UnsafeRawBufferPointer?
        var pictures: [UnsafeRawBufferPointer] = []
        var (unitCount, metadataCount) = (0, 0)
        var rest = data
        while let unit = try Self.next(&rest, isWhole: true) {
            unitCount += 1
            try CodecLimits.check(.codedUnits, unitCount, atMost: limits.maxCodedUnits)
            switch unit.kind {
            case Kind.sequenceHeader:
                guard unit.payload.count <= Self.longestHeader else {
                    throw .damaged(reason: "an AVIF with an AV1 sequence header of \(unit.payload.count) bytes")
                }
                // A different header could have another size or depth than the one that limits were checked for.
                guard header == nil || header!.elementsEqual(unit.payload) else {
                    throw .damaged(reason: "an AVIF with two AV1 sequence headers")
                }
                header = unit.payload
            case Kind.frameHeader, Kind.frame:
                pictures.append(unit.payload)
                try CodecLimits.check(.codedPictures, pictures.count, atMost: limits.maxCodedPictures)
            case Kind.metadata:
                metadataCount += unit.payload.count
                guard metadataCount <= Self.mostMetadata else {
                    throw .damaged(reason: "an AVIF with more than \(Self.mostMetadata) bytes of AV1 metadata")
                }
            default: break
            }
        }
        guard let header else { throw .damaged(reason: "an AVIF without an AV1 sequence header") }
        guard !pictures.isEmpty else { throw .damaged(reason: "an AVIF without a picture") }
        let sequence = try AV1SequenceHeader(header)
        var tileCount = 1
        for picture in pictures { tileCount = max(tileCount, try AV1TileCount(picture, of: sequence).value) }
        self.sequence = sequence
        self.pictureCount = pictures.count
        self.tileCount = tileCount
    }

    /// The number of bytes at an item's beginning that suffices for ``sequence(inBeginning:)``.
    static let beginningLength = 256

    /// Reads the sequence header at the beginning of an item's data.
    ///
    /// - Parameter data: The data, or its first ``beginningLength`` bytes.
    static func sequence(inBeginning data: UnsafeRawBufferPointer) throws(CodecError) -> AV1SequenceHeader {
        var rest = data
        while let unit = try self.next(&rest, isWhole: false) {
            if unit.kind == Kind.sequenceHeader { return try AV1SequenceHeader(unit.payload) }
        }
        throw .damaged(reason: "an AVIF that does not begin with its AV1 sequence header")
    }

    /// - Parameter isWhole: Whether a unit that reaches beyond the data is an error; otherwise it is cut off there.
    /// - Returns: `nil` at the end of the data.
    private static func next(
        _ rest: inout UnsafeRawBufferPointer, isWhole: Bool
    ) throws(CodecError) -> (kind: Int, payload: UnsafeRawBufferPointer)? {
        guard let head = rest.first else { return nil }
        var offset = head & 4 == 0 ? 1 : 2
        var length = rest.count - offset
        if head & 2 != 0 {
            length = 0
            var (shift, isLast) = (0, false)
            while !isLast {
                guard offset < rest.count, shift < 35 else {
                    throw .damaged(reason: "an AVIF with an AV1 unit of impossible size")
                }
                length |= Int(rest[offset] & 0x7F) << shift
                isLast = rest[offset] & 0x80 == 0
                shift += 7
                offset += 1
            }
        }
        guard head & 0x80 == 0, length >= 0, length <= rest.count - offset || !isWhole else {
            throw .damaged(reason: "an AVIF with an AV1 unit of impossible size")
        }
        let payload = rest[min(offset, rest.count)..<min(offset + length, rest.count)]
        rest = UnsafeRawBufferPointer(rebasing: rest[payload.endIndex...])
        return (Int(head >> 3) & 15, UnsafeRawBufferPointer(rebasing: payload))
    }
}
