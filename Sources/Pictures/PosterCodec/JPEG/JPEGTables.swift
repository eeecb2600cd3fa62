/// A JPEG's current quantisation and AC Huffman tables, as ranges of the file; a table is parsed when a scan uses it.
struct JPEGTables {
    private let bytes: UnsafeRawBufferPointer
    private var quantisers = [Range<Int>?](repeating: nil, count: 4)
    private var codes = [Range<Int>?](repeating: nil, count: 4)

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Records the tables of a DQT segment (T.81, B.2.4.1); returns `false` for an invalid segment.
    mutating func noteQuantisers(_ payload: Range<Int>) -> Bool {
        var at = payload.lowerBound
        while at < payload.upperBound {
            let kind = Int(self.bytes[at])
            let length = kind >> 4 == 0 ? 64 : 128
            guard kind & 15 < 4, at + 1 + length <= payload.upperBound else { return false }
            self.quantisers[kind & 15] = at + 1..<at + 1 + length
            at += 1 + length
        }
        return true
    }

    /// Records the AC tables of a DHT segment (T.81, B.2.4.2); returns `false` for an invalid segment.
    mutating func noteCodes(_ payload: Range<Int>) -> Bool {
        var at = payload.lowerBound
        while at < payload.upperBound {
            let kind = Int(self.bytes[at])
            guard kind & 15 < 4, at + 17 <= payload.upperBound else { return false }
            let end = at + 17 + self.bytes[at + 1..<at + 17].reduce(0) { $0 + Int($1) }
            guard end <= payload.upperBound else { return false }
            if kind >> 4 == 1 { self.codes[kind & 15] = at + 1..<end }
            at = end
        }
        return true
    }

    /// The 64 steps of a quantisation table in zigzag order; empty without such a table.
    func quantiser(_ index: Int) -> [Int] {
        guard let range = self.quantisers[index] else { return [] }
        guard range.count == 128 else { return self.bytes[range].map(Int.init) }
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
            self.bytes.bigEndian(at: $0, byteCount: 2)
        }
    }

    /// The AC code of table `index`, 0...15; `nil` without such a table.
    func code(_ index: Int) -> JPEGHuffmanCode? {
        guard index < 4, let range = self.codes[index] else { return nil }
        return JPEGHuffmanCode(counts: self.bytes[range].prefix(16), values: self.bytes[range].dropFirst(16))
    }
}

/// A Huffman code for AC coefficients (ITU-T T.81, G.1.2.2), from which the frequencies of its symbols are estimated.
///
/// Encoders optimise the codes of progressive scans, so a symbol of n bits makes up about 2⁻ⁿ of all symbols.
struct JPEGHuffmanCode: Hashable, Sendable {
    private struct Symbol: Hashable {
        /// The number of zero coefficients before this one, 0...15.
        var run: Int
        /// The bits of the coefficient's magnitude, 0...15; 0 for the end of a block and for sixteen zeros.
        var size: Int
        /// Its estimated frequency, 0...1.
        var share: Double
    }

    private let symbols: [Symbol]
    /// The mean cost of a symbol, in bits.
    private let bitsPerSymbol: Double

    /// - Parameters:
    ///   - counts: The number of symbols with codes of 1, 2 … 16 bits.
    ///   - values: The symbols, by length.
    init?(counts: some Collection<UInt8>, values: some Collection<UInt8>) {
        guard counts.count == 16, values.count == counts.reduce(0, { $0 + Int($1) }), 1...256 ~= values.count else {
            return nil
        }
        let lengths = zip(1..., counts).flatMap { repeatElement($0, count: Int($1)) }
        let total: Double = lengths.reduce(0) { sum, length in sum + 1 / Double(1 << length) }
        guard total <= 1 else { return nil }
        self.symbols = zip(lengths, values).map { length, value in
            let share = 1 / Double(1 << length) / total
            return Symbol(run: Int(value >> 4), size: Int(value & 15), share: share)
        }
        self.bitsPerSymbol = zip(lengths, self.symbols).reduce(0) { sum, pair in
            let (length, symbol) = pair
            // The end of a run of blocks gives their number in `run` bits.
            let extra: Int = symbol.size > 0 ? symbol.size : symbol.run < 15 ? symbol.run : 0
            return sum + symbol.share * Double(length + extra)
        }
    }

    /// Estimates, by zigzag position, the sum of the squared coefficients of a scan of `bits` bits, with independent
    /// symbols.
    func squares(over band: ClosedRange<Int>, bits: Double) -> [Double] {
        var squares = [Double](repeating: 0, count: 64)
        // How often a symbol begins at each position, per block; runs lead past the end by up to 16.
        var starts = [Double](repeating: 0, count: 64 + 17)
        starts[band.lowerBound] = 1
        var symbolCount = 0.0
        for position in band where starts[position] > 0 {
            symbolCount += starts[position]
            for symbol in self.symbols where symbol.size > 0 || symbol.run == 15 {
                let share = starts[position] * symbol.share
                let target = position + symbol.run
                starts[target + 1] += share
                guard symbol.size > 0, target <= band.upperBound else { continue }
                // Magnitudes of s bits lie between 2ˢ⁻¹ and 2ˢ, small ones more often.
                let magnitude = symbol.size == 1 ? 1 : 1.4 * Double(1 << (symbol.size - 1))
                squares[target] += share * magnitude * magnitude
            }
        }
        let scale = bits / (symbolCount * self.bitsPerSymbol)
        return squares.map { $0 * scale }
    }
}
