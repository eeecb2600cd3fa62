/// Reads the code lengths that define one prefix code after the other (RFC 9649, 3.7.2.1), with memory for the longest.
struct WebPCodeLengths {
    /// Of the last code that was read: a length for each symbol of its alphabet, 0 for those that do not occur.
    private(set) var lengths: [UInt8]
    /// How often each length occurs among them.
    private(set) var counts = [Int](repeating: 0, count: Self.maxLength + 1)
    /// What seven bits say of a code length: its symbol times 8, plus the length of its code.
    private var table = [UInt8](repeating: 0, count: 1 << 7)

    /// The longest code, in bits.
    static let maxLength = 15

    /// Symbols that say how long codes are: 0...15, and three that repeat.
    private static let symbolCount = 19
    /// The order of their own lengths in the data.
    private static let order = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

    /// - Parameter maxAlphabet: Symbols of the largest alphabet.
    init(maxAlphabet: Int) {
        self.lengths = .init(repeating: 0, count: max(maxAlphabet, Self.symbolCount))
    }

    /// Reads one code, and makes sure that it is complete, or has only one symbol.
    mutating func read(_ bits: inout WebPBitReader, alphabet: Int) throws(CodecError) {
        self.clear(alphabet)
        if bits.read(1) == 1 {
            self.readSimple(&bits, alphabet: alphabet)
        } else {
            try self.readNormal(&bits, alphabet: alphabet)
        }
        try self.checkCompleteness(bits)
        guard !bits.isPastEnd else { throw .truncated }
    }

    private mutating func clear(_ alphabet: Int) {
        for symbol in 0..<alphabet { self.lengths[symbol] = 0 }
        for length in self.counts.indices { self.counts[length] = 0 }
    }

    /// One or two symbols, each with a length of one bit. What is not in the alphabet is ignored, as libwebp does.
    private mutating func readSimple(_ bits: inout WebPBitReader, alphabet: Int) {
        let symbolCount = bits.read(1) + 1
        for index in 0..<symbolCount {
            let symbol = bits.read(index == 0 && bits.read(1) == 0 ? 1 : 8)
            guard symbol < alphabet, self.lengths[symbol] == 0 else { continue }
            self.lengths[symbol] = 1
            self.counts[1] += 1
        }
    }

    private mutating func readNormal(_ bits: inout WebPBitReader, alphabet: Int) throws(CodecError) {
        try self.readTable(&bits)
        var left = alphabet
        if bits.read(1) == 1 {
            let bitCount = 2 + 2 * bits.read(3)
            left = 2 + bits.read(bitCount)
            guard left <= alphabet else { throw Self.damage(bits) }
        }
        var (symbol, previous) = (0, 8)
        while symbol < alphabet, left > 0 {
            left -= 1
            let entry = Int(self.table[Int(truncatingIfNeeded: bits.window & 0x7F)])
            bits.skip(entry & 7)
            let length = entry >> 3
            if length < 16 {
                self.lengths[symbol] = UInt8(truncatingIfNeeded: length)
                self.counts[length] += 1
                symbol += 1
                if length != 0 { previous = length }
                continue
            }
            let (repeated, count) =
                switch length {
                case 16: (previous, 3 + bits.read(2))
                case 17: (0, 3 + bits.read(3))
                default: (0, 11 + bits.read(7))
                }
            guard count <= alphabet - symbol else { throw Self.damage(bits) }
            if repeated != 0 {
                for index in symbol..<symbol + count { self.lengths[index] = UInt8(truncatingIfNeeded: repeated) }
            }
            self.counts[repeated] += count
            symbol += count
        }
    }

    /// Reads the code of the code lengths.
    private mutating func readTable(_ bits: inout WebPBitReader) throws(CodecError) {
        let count = bits.read(4) + 4
        guard count <= Self.symbolCount else { throw Self.damage(bits) }
        for index in 0..<count {
            let (symbol, length) = (Self.order[index], bits.read(3))
            self.lengths[symbol] = UInt8(truncatingIfNeeded: length)
            self.counts[length] += 1
        }
        try self.checkCompleteness(bits)
        let isSingle = self.counts[1...].reduce(0, +) == 1
        // The code as the upper bits of fifteen.
        var code = 0
        for length in 1...7 where self.counts[length] > 0 {
            for symbol in 0..<Self.symbolCount where Int(self.lengths[symbol]) == length {
                let bitCount = isSingle ? 0 : length
                let entry = UInt8(truncatingIfNeeded: symbol << 3 | bitCount)
                for index in stride(from: WebPPrefixCode.reversed(code), to: 1 << 7, by: 1 << bitCount) {
                    self.table[index] = entry
                }
                code += 1 << (Self.maxLength - length)
            }
        }
        self.clear(Self.symbolCount)
    }

    /// - Throws: ``CodecError/damaged(reason:)`` for a code that leaves bits without a symbol, or gives some to two.
    private func checkCompleteness(_ bits: WebPBitReader) throws(CodecError) {
        var (space, total) = (0, 0)
        for length in 1...Self.maxLength {
            space += self.counts[length] << (Self.maxLength - length)
            total += self.counts[length]
        }
        guard total == 1 || space == 1 << Self.maxLength else { throw Self.damage(bits) }
    }

    /// Beyond the end any code is impossible.
    private static func damage(_ bits: WebPBitReader) -> CodecError {
        bits.isPastEnd ? .truncated : .damaged(reason: "a lossless WebP with an impossible prefix code")
    }
}
