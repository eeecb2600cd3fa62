/// Reads VP8L data up to its pixels (RFC 9649, 3.4 to 3.7), of a `VP8L` chunk or of an `ALPH` chunk, to count the
/// prefix codes.
///
/// The images of the transforms and the entropy image are skipped symbol by symbol. Copied values and cached colours
/// were literals before, so the largest value is found without storing pixels.
struct WebPLosslessHeader {
    private var bits: WebPBitReader
    private var lengths = WebPCodeLengths(maxAlphabet: Self.alphabet(0) + 1 << Self.maxCacheBits)
    private let watch: RenderWatch?
    private var nextCheck: Int
    /// The width in pixels, after small palettes have packed several into one.
    private var width: Int
    private let height: Int
    private(set) var prefixCodes = ImageHeader.PrefixCodes(groupCount: 1, colourCacheBits: 0)

    static let maxCacheBits = 11
    /// The bits between two checks of the watch, about half a millisecond.
    private static let bitsPerCheck = 1 << 16
    /// The codes of a group: green with lengths, red, blue, alpha, distances.
    private static let codesPerGroup = 5

    /// The alphabet size of one of a group's codes, without a colour cache.
    private static func alphabet(_ code: Int) -> Int {
        switch code {
        case 0: 256 + 24
        case 4: 40
        default: 256
        }
    }

    /// Reads up to the codes of the pixels.
    ///
    /// - Parameter watch: Ends the work with the render; `nil` outside of one. The work is bounded: at most three
    ///   images with a sixteenth of the picture's pixels each.
    init(
        _ bytes: UnsafeRawBufferPointer, in range: Range<Int>, width: Int, height: Int, watch: RenderWatch?
    ) throws(CodecError) {
        self.bits = WebPBitReader(bytes, in: range)
        self.nextCheck = self.bits.position + Self.bitsPerCheck
        (self.width, self.height, self.watch) = (width, height, watch)
        try self.skipTransforms()
        let cacheBits = try self.readCacheBits()
        var groupCount = 1
        if self.bits.read(1) == 1 {
            let blockBits = 2 + self.bits.read(3)
            groupCount += try self.skipImage(blocks: blockBits)
        }
        guard !self.bits.isPastEnd else { throw .truncated }
        self.prefixCodes = .init(groupCount: groupCount, colourCacheBits: cacheBits)
    }

    /// Skips the codes of all groups; returns the offset of the byte after their last bit.
    mutating func skipCodes() throws(CodecError) -> Int {
        let cacheSize = self.prefixCodes.colourCacheBits == 0 ? 0 : 1 << self.prefixCodes.colourCacheBits
        for _ in 0..<self.prefixCodes.groupCount {
            for code in 0..<Self.codesPerGroup {
                let alphabet = Self.alphabet(code) + (code == 0 ? cacheSize : 0)
                try self.lengths.read(&self.bits, alphabet: alphabet, keepsLengths: false)
            }
            try self.checkWatch()
        }
        return (self.bits.position + 7) / 8
    }

    private mutating func skipTransforms() throws(CodecError) {
        // A bit for each type.
        var seen = 0
        while self.bits.read(1) == 1 {
            let type = self.bits.read(2)
            guard seen & 1 << type == 0 else { throw self.bits.damage("a lossless WebP with a repeated transform") }
            seen |= 1 << type
            switch type {
            // Predictors, and colour.
            case 0, 1:
                let blockBits = 2 + self.bits.read(3)
                _ = try self.skipImage(blocks: blockBits)
            // A palette: with few colours, pixels share a byte.
            case 3:
                let colourCount = self.bits.read(8) + 1
                _ = try self.skipImage(width: colourCount, height: 1)
                let pixelBits = colourCount > 16 ? 0 : colourCount > 4 ? 1 : colourCount > 2 ? 2 : 3
                self.width = Self.blocks(of: self.width, bits: pixelBits)
            // Subtracted green takes no data.
            default: break
            }
            guard !self.bits.isPastEnd else { throw .truncated }
        }
    }

    private mutating func readCacheBits() throws(CodecError) -> Int {
        guard self.bits.read(1) == 1 else { return 0 }
        let count = self.bits.read(4)
        guard 1...Self.maxCacheBits ~= count else {
            throw self.bits.damage("a lossless WebP with a colour cache of a bad size")
        }
        return count
    }

    private static func blocks(of side: Int, bits: Int) -> Int { (side + 1 << bits - 1) >> bits }

    /// Skips an image with one pixel per block of 2^`bits` × 2^`bits` pixels of the picture.
    private mutating func skipImage(blocks bits: Int) throws(CodecError) -> Int {
        try self.skipImage(
            width: Self.blocks(of: self.width, bits: bits), height: Self.blocks(of: self.height, bits: bits))
    }

    /// Skips an image with one group of codes. Distances are left to libwebp to check.
    ///
    /// - Returns: The largest value of red and green as a 16-bit number, the index of a group in an entropy image.
    private mutating func skipImage(width: Int, height: Int) throws(CodecError) -> Int {
        let cacheBits = try self.readCacheBits()
        let literals = 256, lengthsEnd = Self.alphabet(0)
        let green = try self.readCode(alphabet: lengthsEnd + (cacheBits == 0 ? 0 : 1 << cacheBits))
        let red = try self.readCode(alphabet: Self.alphabet(1))
        let blue = try self.readCode(alphabet: Self.alphabet(2))
        let alpha = try self.readCode(alphabet: Self.alphabet(3))
        let distance = try self.readCode(alphabet: Self.alphabet(4))
        // Pixels that take no bits are all equal, or all from a colour cache that stays empty.
        if let symbol = green.onlySymbol {
            if symbol >= lengthsEnd { return 0 }
            if symbol < literals, let red = red.onlySymbol, blue.onlySymbol != nil, alpha.onlySymbol != nil {
                return red << 8 | symbol
            }
        }
        let endsWithRed = blue.onlySymbol != nil && alpha.onlySymbol != nil
        let total = width * height
        var (left, largest) = (total, 0)
        // A local copy stays in registers.
        var bits = self.bits
        while left > 0 {
            let window = bits.window
            let (symbol, length) = green.symbol(in: window)
            bits.skip(length)
            if symbol < literals {
                let (upper, length) = red.symbol(in: window >> UInt64(length))
                bits.skip(length)
                largest = max(largest, upper << 8 | symbol)
                if !endsWithRed {
                    bits.skip(blue.symbol(in: bits.window).length)
                    bits.skip(alpha.symbol(in: bits.window).length)
                }
                left -= 1
            } else if symbol < lengthsEnd {
                let count = Self.readPrefixed(symbol - literals, &bits)
                _ = Self.readPrefixed(distance.read(&bits), &bits)
                guard left < total, count <= left else {
                    throw bits.damage("a lossless WebP that copies too many pixels")
                }
                left -= count
            } else {
                left -= 1
            }
            guard !bits.isPastEnd else { throw .truncated }
            if bits.position >= self.nextCheck {
                self.bits = bits
                try self.checkWatch()
            }
        }
        self.bits = bits
        return largest
    }

    private mutating func readCode(alphabet: Int) throws(CodecError) -> WebPPrefixCode {
        try self.lengths.read(&self.bits, alphabet: alphabet, keepsLengths: true)
        return WebPPrefixCode(self.lengths, alphabet: alphabet)
    }

    /// Reads the extra bits of a length or distance symbol (RFC 9649, 3.6.2.2).
    private static func readPrefixed(_ symbol: Int, _ bits: inout WebPBitReader) -> Int {
        guard symbol >= 4 else { return symbol + 1 }
        let extraBits = (symbol - 2) >> 1
        return (2 + symbol & 1) << extraBits + bits.read(extraBits) + 1
    }

    private mutating func checkWatch() throws(CodecError) {
        guard self.bits.position >= self.nextCheck else { return }
        self.nextCheck = self.bits.position + Self.bitsPerCheck
        try self.watch?.check()
    }
}
