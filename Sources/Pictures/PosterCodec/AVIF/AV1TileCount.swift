/// The number of tiles of a picture (AV1 specification, 5.9.15); a decoder has tables of probabilities for each.
struct AV1TileCount {
    let value: Int

    /// Maximum number of tiles of a picture of this size: 64 × 64, each of at least one block.
    static func most(width: Int, height: Int) -> Int {
        min(64, (width + 63) / 64) * min(64, (height + 63) / 64)
    }

    /// - Parameter frameHeader: The payload of a unit that begins with the frame header.
    init(_ frameHeader: UnsafeRawBufferPointer, of sequence: AV1SequenceHeader) throws(CodecError) {
        var bits = HeaderBitReader(frameHeader)
        let most = Self.most(width: sequence.width, height: sequence.height)
        self.value = try Self.count(&bits, of: sequence) ?? most
    }

    /// - Returns: `nil` if the header is not a shown still picture's, or tiles have different sizes.
    private static func count(_ bits: inout HeaderBitReader, of sequence: AV1SequenceHeader) throws(CodecError) -> Int?
    {
        guard let tools = sequence.stillTools else { return nil }
        if !sequence.isReduced {
            // An existing picture, one that is not a key frame, or one that is not shown.
            guard try bits.number(1) == 0, try bits.number(2) == 0, try bits.flag() else { return nil }
        }
        let keepsProbabilities = try bits.flag()
        let isScreenContent = try tools.screenContent == nil ? bits.flag() : tools.screenContent == true
        if isScreenContent, tools.choosesWholeVectors { try bits.skip(1) }
        let hasOwnSize = try sequence.isReduced ? false : bits.flag()
        try bits.skip(tools.orderBits)
        var (width, height) = (sequence.width, sequence.height)
        if hasOwnSize {
            (width, height) = (try bits.number(tools.widthBits) + 1, try bits.number(tools.heightBits) + 1)
        }
        var isEnlarged = false
        if sequence.isEnlarged, try bits.flag() {
            let divisor = try bits.number(3) + 9
            let narrow = (8 * width + divisor / 2) / divisor
            isEnlarged = narrow != width
            width = narrow
        }
        if try bits.flag() { try bits.skip(32) }
        if isScreenContent, !isEnlarged { try bits.skip(1) }
        if !sequence.isReduced, !keepsProbabilities { try bits.skip(1) }
        return try Self.uniformCount(&bits, width: width, height: height, blockSide: tools.blockSide)
    }

    private static func uniformCount(
        _ bits: inout HeaderBitReader, width: Int, height: Int, blockSide: Int
    ) throws(CodecError) -> Int? {
        guard try bits.flag() else { return nil }
        // Sides are padded to eight pixels.
        let (across, down) = (
            (((width + 7) & ~7) + blockSide - 1) / blockSide, (((height + 7) & ~7) + blockSide - 1) / blockSide
        )
        let least = Self.logarithm(4096 / blockSide, across)
        let leastOfAll = max(least, Self.logarithm(4096 * 2304 / (blockSide * blockSide), across * down))
        let columns = try Self.increment(&bits, from: least, to: Self.logarithm(1, min(across, 64)))
        let rows = try Self.increment(&bits, from: max(leastOfAll - columns, 0), to: Self.logarithm(1, min(down, 64)))
        func count(_ side: Int, _ logarithm: Int) -> Int {
            let length = (side + (1 << logarithm) - 1) >> logarithm
            return (side + length - 1) / length
        }
        return count(across, columns) * count(down, rows)
    }

    private static func increment(_ bits: inout HeaderBitReader, from start: Int, to end: Int) throws(CodecError) -> Int
    {
        var value = start
        while value < end, try bits.flag() { value += 1 }
        return value
    }

    /// The smallest `k` for which `unit · 2^k` is at least `target`.
    private static func logarithm(_ unit: Int, _ target: Int) -> Int {
        var logarithm = 0
        while unit << logarithm < target { logarithm += 1 }
        return logarithm
    }
}
