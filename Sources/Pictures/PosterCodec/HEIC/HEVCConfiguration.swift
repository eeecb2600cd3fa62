/// The parameter sets of an item's HEVC data, from its `hvcC` box (ISO/IEC 14496-15, 8.3.2.1).
struct HEVCConfiguration: Hashable {
    /// The number of bytes of the lengths before the item's units: 1, 2 or 4.
    let lengthSize: Int
    let sequence: HEVCSequence
    let picture: HEVCPicture
    /// The units of the sequence and the picture parameter set, with their headers.
    let units: [[UInt8]]

    /// Maximum bytes of a parameter set. Encoders write less than 100; lists of scaling factors take some 1500.
    static let longestSet = 4096

    private enum Kind {
        static let sequence = 33
        static let picture = 34
    }

    /// Reads the content of a box. The decoder does not need the video parameter set.
    ///
    /// - Throws: ``CodecError/damaged(reason:)``, or ``CodecError/unsupported(_:)`` for several parameter sets of a
    ///   kind.
    init(_ fields: inout ISOFields, in bytes: UnsafeRawBufferPointer) throws(CodecError) {
        // Profile, level, and numbers that the parameter sets have as well.
        try fields.skip(21)
        self.lengthSize = try fields.number(1) & 3 + 1
        guard self.lengthSize != 3 else { throw .damaged(reason: "a HEIC with lengths of three bytes") }
        var sets: [Int: [UInt8]] = [:]
        let arrayCount = try fields.number(1)
        for _ in 0..<arrayCount {
            let kind = try fields.number(1) & 63
            let count = try fields.number(2)
            for _ in 0..<count {
                let length = try fields.number(2)
                let start = fields.offset
                try fields.skip(length)
                guard kind == Kind.sequence || kind == Kind.picture else { continue }
                guard sets[kind] == nil else { throw .unsupported("HEIC with several parameter sets of a kind") }
                guard (2...Self.longestSet).contains(length), Int(bytes[start] >> 1) == kind else {
                    throw .damaged(reason: "a HEIC with an impossible parameter set")
                }
                sets[kind] = Array(bytes[start..<start + length])
            }
        }
        guard let sequence = sets[Kind.sequence], let picture = sets[Kind.picture] else {
            throw .damaged(reason: "a HEIC without its parameter sets")
        }
        self.units = [sequence, picture]
        self.sequence = try HEVCSlices.withPayload(sequence.span.bytes) { (bits) throws(CodecError) in
            try HEVCSequence(&bits)
        }
        self.picture = try HEVCSlices.withPayload(picture.span.bytes) { (bits) throws(CodecError) in
            try HEVCPicture(&bits)
        }
        guard self.picture.sequence == self.sequence.id else {
            throw .damaged(reason: "a HEIC with parameter sets that do not belong together")
        }
    }
}

/// The beginning of a picture parameter set (ITU-T H.265, 7.3.2.3), on which the form of slice headers depends.
struct HEVCPicture: Hashable {
    let id, sequence: Int
    let hasDependentSlices: Bool
    /// The number of bits before a slice's type.
    let extraBits: Int

    /// - Parameter bits: The unit after its header.
    init(_ bits: inout HeaderBitReader) throws(CodecError) {
        (self.id, self.sequence) = (try bits.variable(), try bits.variable())
        self.hasDependentSlices = try bits.flag()
        try bits.skip(1)
        self.extraBits = try bits.number(3)
    }
}
