/// A sequence parameter set of HEVC (ITU-T H.265, 7.3.2.2): the size of pictures, their samples and colours.
struct HEVCSequence: Hashable {
    let id: Int
    /// The size of the coded picture, in pixels.
    let codedWidth, codedHeight: Int
    /// The shown part of the coded picture, the conformance window. Some encoders hide most of a small picture.
    let left, top, width, height: Int
    let samples: SampleFormat
    /// `nil` if they follow sets of reference pictures that are not read here.
    let colours: CodePoints?
    /// The number of coding tree blocks.
    let blockCount: Int

    /// Reads the set up to its colours; the decoder checks the rest.
    ///
    /// - Parameter bits: The unit after its header.
    /// - Throws: ``CodecError/damaged(reason:)``, or ``CodecError/unsupported(_:)`` for samples that are not decoded.
    init(_ bits: inout HeaderBitReader) throws(CodecError) {
        try bits.skip(4)
        let lastLayer = try bits.number(3)
        try bits.skip(1)
        try Self.skipProfile(&bits, layerCount: lastLayer)
        self.id = try bits.variable()
        let chroma = try bits.variable()
        guard self.id < 16, chroma < 4, lastLayer < 7 else { throw Self.impossible }
        if chroma == 3, try bits.flag() { throw .unsupported("HEIC with separately coded colour planes") }
        (self.codedWidth, self.codedHeight) = (try bits.variable(), try bits.variable())
        var window = (left: 0, right: 0, top: 0, bottom: 0)
        if try bits.flag() {
            window = (try bits.variable(), try bits.variable(), try bits.variable(), try bits.variable())
        }
        let (across, down) = (chroma == 1 || chroma == 2 ? 2 : 1, chroma == 1 ? 2 : 1)
        (self.left, self.top) = (across * window.left, down * window.top)
        self.width = self.codedWidth - self.left - across * window.right
        self.height = self.codedHeight - self.top - down * window.bottom
        guard self.width > 0, self.height > 0 else { throw Self.impossible }
        let (lumaBits, chromaBits) = (try bits.variable() + 8, try bits.variable() + 8)
        guard [8, 10, 12].contains(lumaBits), chroma == 0 || chromaBits == lumaBits else {
            throw .unsupported("HEIC with samples of \(lumaBits) and \(chromaBits) bits")
        }
        self.samples = SampleFormat(
            bitDepth: lumaBits, isMonochrome: chroma == 0, halvesAcross: across == 2 || chroma == 0,
            halvesDown: down == 2 || chroma == 0)
        let orderBits = try bits.variable() + 4
        guard orderBits <= 16 else { throw Self.impossible }
        for _ in 0..<(try bits.flag() ? lastLayer + 1 : 1) {
            for _ in 0..<3 { _ = try bits.variable() }
        }
        self.blockCount = try Self.blockCount(&bits, width: self.codedWidth, height: self.codedHeight)
        self.colours = try Self.colours(&bits, orderBits: orderBits)
    }

    /// Whether the shown part is an item's picture. It may have one more row or column, as chroma is subsampled.
    func covers(width: Int, height: Int) -> Bool {
        (0...1).contains(self.width - width) && (0...1).contains(self.height - height)
    }

    private static var impossible: CodecError { .damaged(reason: "a HEIC with an impossible sequence parameter set") }

    /// Skips profile, tier and level (7.3.3).
    private static func skipProfile(_ bits: inout HeaderBitReader, layerCount: Int) throws(CodecError) {
        func skip(bitCount: Int) throws(CodecError) { for _ in 0..<bitCount / 8 { try bits.skip(8) } }
        try skip(bitCount: 96)
        guard layerCount > 0 else { return }
        var layers: [(hasProfile: Bool, hasLevel: Bool)] = []
        for _ in 0..<layerCount { layers.append((try bits.flag(), try bits.flag())) }
        for _ in layerCount..<8 { try bits.skip(2) }
        for layer in layers { try skip(bitCount: (layer.hasProfile ? 88 : 0) + (layer.hasLevel ? 8 : 0)) }
    }

    /// Reads the sizes of blocks.
    private static func blockCount(
        _ bits: inout HeaderBitReader, width: Int, height: Int
    ) throws(CodecError) -> Int {
        let least = try bits.variable() + 3
        let largest = try least + bits.variable()
        let leastTransform = try bits.variable() + 2
        let largestTransform = try leastTransform + bits.variable()
        let depths = (try bits.variable(), try bits.variable())
        guard (4...6).contains(largest), leastTransform < least, largestTransform <= min(largest, 5),
            max(depths.0, depths.1) <= largest - leastTransform, width % (1 << least) == 0, height % (1 << least) == 0
        else { throw Self.impossible }
        let side = 1 << largest
        return (width + side - 1) / side * ((height + side - 1) / side)
    }

    /// Reads on to the beginning of the video usability information (E.2.1). Without it, the colours are unspecified,
    /// of limited range.
    private static func colours(_ bits: inout HeaderBitReader, orderBits: Int) throws(CodecError) -> CodePoints? {
        if try bits.flag(), try bits.flag() { try Self.skipScalingLists(&bits) }
        try bits.skip(2)
        // Samples without prediction.
        if try bits.flag() {
            try bits.skip(8)
            _ = (try bits.variable(), try bits.variable())
            try bits.skip(1)
        }
        let setCount = try bits.variable()
        guard setCount <= 64 else { throw Self.impossible }
        for index in 0..<setCount {
            // A set that depends on the one before it.
            if index > 0, try bits.flag() { return nil }
            let count = try bits.variable() + bits.variable()
            guard count <= 16 else { throw Self.impossible }
            for _ in 0..<count {
                _ = try bits.variable()
                try bits.skip(1)
            }
        }
        if try bits.flag() {
            let count = try bits.variable()
            guard count <= 32 else { throw Self.impossible }
            for _ in 0..<count { try bits.skip(orderBits + 1) }
        }
        try bits.skip(2)
        var points = (primaries: 2, transfer: 2, matrix: 2)
        var isFullRange = false
        if try bits.flag() {
            // The shape of pixels, and whether edges may be cut off.
            if try bits.flag(), try bits.number(8) == 255 { try bits.skip(32) }
            if try bits.flag() { try bits.skip(1) }
            if try bits.flag() {
                try bits.skip(3)
                isFullRange = try bits.flag()
                if try bits.flag() { points = (try bits.number(8), try bits.number(8), try bits.number(8)) }
            }
        }
        return CodePoints(
            primaries: points.primaries, transfer: points.transfer, matrix: points.matrix, isFullRange: isFullRange)
    }

    /// Skips lists of scaling factors (7.3.4).
    private static func skipScalingLists(_ bits: inout HeaderBitReader) throws(CodecError) {
        for size in 0..<4 {
            for _ in 0..<(size == 3 ? 2 : 6) {
                // A copy of another list, or differences between factors.
                let count = try bits.flag() ? min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0) : 1
                for _ in 0..<count { _ = try bits.variable() }
            }
        }
    }
}
