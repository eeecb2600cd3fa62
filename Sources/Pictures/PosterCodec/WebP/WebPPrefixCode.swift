/// A prefix code of VP8L data (RFC 9649, 3.7.2).
///
/// Codes of up to eight bits are looked up in a table; longer ones are found by value among the codes of their length.
struct WebPPrefixCode {
    private static let rootBits = 8

    /// By the next eight bits: the symbol times 16, plus the length of its code; 15 for a longer code.
    private var root = [UInt16](repeating: Self.isLonger, count: 1 << Self.rootBits)
    /// The symbols with codes longer than eight bits, in the order of their codes.
    private var longer: [UInt16] = []
    /// For each length above eight: the end of its codes as fifteen bits, and the offset from a code to its index in
    /// ``longer``.
    private var ends = InlineArray<7, (end: Int, offset: Int)>(repeating: (0, 0))
    /// The symbol of a code with one symbol, which takes no bits; `nil` for other codes.
    let onlySymbol: Int?

    private static let isLonger: UInt16 = 15

    /// - Parameter lengths: The lengths of the code, just read.
    init(_ lengths: borrowing WebPCodeLengths, alphabet: Int) {
        guard lengths.symbolCount > 1 else {
            let symbol = lengths.lengths[..<alphabet].firstIndex { $0 != 0 } ?? 0
            self.onlySymbol = symbol
            for index in self.root.indices { self.root[index] = UInt16(truncatingIfNeeded: symbol << 4) }
            return
        }
        self.onlySymbol = nil
        var longerCount = 0
        for length in Self.rootBits + 1...WebPCodeLengths.maxLength { longerCount += lengths.counts[length] }
        self.longer.reserveCapacity(longerCount)
        // The code as the upper bits of fifteen.
        var code = 0
        for length in 1...WebPCodeLengths.maxLength {
            let step = 1 << (WebPCodeLengths.maxLength - length)
            if length > Self.rootBits {
                let first = code / step
                let end = code + lengths.counts[length] * step
                self.ends[length - Self.rootBits - 1] = (end, self.longer.count - first)
            }
            guard lengths.counts[length] > 0 else { continue }
            for symbol in 0..<alphabet where Int(lengths.lengths[symbol]) == length {
                if length > Self.rootBits {
                    self.longer.append(UInt16(truncatingIfNeeded: symbol))
                } else {
                    let entry = UInt16(truncatingIfNeeded: symbol << 4 | length)
                    for index in stride(from: Self.reversed(code), to: self.root.count, by: 1 << length) {
                        self.root[index] = entry
                    }
                }
                code += step
            }
        }
    }

    /// The symbol of the code at the start of the window, and the code's length in bits.
    func symbol(in window: UInt64) -> (symbol: Int, length: Int) {
        let entry = self.root[Int(truncatingIfNeeded: window) & (1 << Self.rootBits - 1)]
        guard entry & 15 == Self.isLonger else { return (Int(entry >> 4), Int(entry & 15)) }
        return self.longerSymbol(for: Self.reversed(Int(truncatingIfNeeded: window & 0x7FFF)))
    }

    /// Reads a symbol; after the end of the data, an arbitrary one.
    func read(_ bits: inout WebPBitReader) -> Int {
        let (symbol, length) = self.symbol(in: bits.window)
        bits.skip(length)
        return symbol
    }

    private func longerSymbol(for code: Int) -> (symbol: Int, length: Int) {
        // The code is complete: the longest one ends where fifteen bits do.
        var index = 0
        while index < self.ends.count - 1, code >= self.ends[index].end { index += 1 }
        let length = Self.rootBits + 1 + index
        let symbol = self.longer[code >> (WebPCodeLengths.maxLength - length) + self.ends[index].offset]
        return (Int(symbol), length)
    }

    /// The fifteen bits in reverse order.
    static func reversed(_ code: Int) -> Int {
        var bits = code
        bits = (bits & 0x5555) << 1 | (bits & 0xAAAA) >> 1
        bits = (bits & 0x3333) << 2 | (bits & 0xCCCC) >> 2
        bits = (bits & 0x0F0F) << 4 | (bits & 0xF0F0) >> 4
        bits = (bits & 0x00FF) << 8 | (bits & 0xFF00) >> 8
        return bits >> 1
    }
}
