/// Reads the code lengths that define prefix codes (RFC 9649, 3.7.2.1); its memory is reused for each code.
struct WebPCodeLengths {
    /// The length of each symbol of the last code; 0 for symbols that do not occur.
    private(set) var lengths: [UInt8]
    /// The number of symbols of each length.
    private(set) var counts = InlineArray<16, Int>(repeating: 0)
    /// By the next seven bits: the code-length symbol times 8, plus the length of its code.
    private var table = InlineArray<128, UInt8>(repeating: 0)

    private static let impossible = "a lossless WebP with an impossible prefix code"
    /// The longest code, in bits.
    static let maxLength = 15

    /// The number of code-length symbols: 0...15, and three that repeat.
    private static let lengthSymbolCount = 19
    /// The order of their code lengths in the data.
    private static let order: InlineArray<19, Int> = [
        17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ]

    /// - Parameter maxAlphabet: The size of the largest alphabet.
    init(maxAlphabet: Int) {
        self.lengths = .init(repeating: 0, count: maxAlphabet)
    }

    /// The number of symbols that occur in the last code.
    var symbolCount: Int {
        var total = 0
        for length in 1...Self.maxLength { total += self.counts[length] }
        return total
    }

    /// Reads a code, which must be complete or have only one symbol.
    ///
    /// - Parameter keepsLengths: Whether to set ``lengths``, and not only ``counts``.
    mutating func read(_ bits: inout WebPBitReader, alphabet: Int, keepsLengths: Bool) throws(CodecError) {
        if keepsLengths { for symbol in 0..<alphabet { self.lengths[symbol] = 0 } }
        self.counts = .init(repeating: 0)
        if bits.read(1) == 1 {
            self.readSimple(&bits, alphabet: alphabet, keepsLengths: keepsLengths)
        } else {
            try self.readNormal(&bits, alphabet: alphabet, keepsLengths: keepsLengths)
        }
        try self.checkCompleteness(bits)
        guard !bits.isPastEnd else { throw .truncated }
    }

    /// Reads one or two symbols of one bit each. Symbols outside the alphabet are ignored, as by libwebp.
    private mutating func readSimple(_ bits: inout WebPBitReader, alphabet: Int, keepsLengths: Bool) {
        let symbolCount = bits.read(1) + 1
        var first: Int?
        for index in 0..<symbolCount {
            let symbol = bits.read(index == 0 && bits.read(1) == 0 ? 1 : 8)
            guard symbol < alphabet, symbol != first else { continue }
            first = symbol
            if keepsLengths { self.lengths[symbol] = 1 }
            self.counts[1] += 1
        }
    }

    private mutating func readNormal(
        _ reader: inout WebPBitReader, alphabet: Int, keepsLengths: Bool
    ) throws(CodecError) {
        // A local copy stays in registers.
        var bits = reader
        defer { reader = bits }
        try self.readTable(&bits)
        var left = alphabet
        if bits.read(1) == 1 {
            let bitCount = 2 + 2 * bits.read(3)
            left = 2 + bits.read(bitCount)
            guard left <= alphabet else { throw bits.damage(Self.impossible) }
        }
        var (symbol, previous) = (0, 8)
        while symbol < alphabet, left > 0 {
            left -= 1
            let window = bits.window
            let entry = Int(self.table[Int(truncatingIfNeeded: window & 0x7F)])
            let (length, bitCount) = (entry >> 3, entry & 7)
            if length < 16 {
                bits.skip(bitCount)
                if keepsLengths { self.lengths[symbol] = UInt8(truncatingIfNeeded: length) }
                self.counts[length] += 1
                symbol += 1
                if length != 0 { previous = length }
                continue
            }
            let extra = Int(truncatingIfNeeded: window >> UInt64(bitCount))
            let (repeated, count, extraBits) =
                switch length {
                case 16: (previous, 3 + extra & 3, 2)
                case 17: (0, 3 + extra & 7, 3)
                default: (0, 11 + extra & 0x7F, 7)
                }
            bits.skip(bitCount + extraBits)
            guard count <= alphabet - symbol else { throw bits.damage(Self.impossible) }
            if keepsLengths, repeated != 0 {
                for index in symbol..<symbol + count { self.lengths[index] = UInt8(truncatingIfNeeded: repeated) }
            }
            self.counts[repeated] += count
            symbol += count
        }
    }

    private mutating func readTable(_ bits: inout WebPBitReader) throws(CodecError) {
        let count = bits.read(4) + 4
        guard count <= Self.lengthSymbolCount else { throw bits.damage(Self.impossible) }
        var lengths = InlineArray<19, Int>(repeating: 0)
        for index in 0..<count {
            let length = bits.read(3)
            lengths[Self.order[index]] = length
            self.counts[length] += 1
        }
        try self.checkCompleteness(bits)
        let isSingle = self.symbolCount == 1
        // The code as the upper bits of fifteen.
        var code = 0
        for length in 1...7 where self.counts[length] > 0 {
            for symbol in 0..<Self.lengthSymbolCount where lengths[symbol] == length {
                let bitCount = isSingle ? 0 : length
                let entry = UInt8(truncatingIfNeeded: symbol << 3 | bitCount)
                for index in stride(from: WebPPrefixCode.reversed(code), to: 1 << 7, by: 1 << bitCount) {
                    self.table[index] = entry
                }
                code += 1 << (Self.maxLength - length)
            }
        }
        self.counts = .init(repeating: 0)
    }

    /// Throws ``CodecError/damaged(reason:)`` for an incomplete or oversubscribed code.
    private func checkCompleteness(_ bits: WebPBitReader) throws(CodecError) {
        var space = 0
        for length in 1...Self.maxLength { space += self.counts[length] << (Self.maxLength - length) }
        guard space == 1 << Self.maxLength || self.symbolCount == 1 else { throw bits.damage(Self.impossible) }
    }
}
