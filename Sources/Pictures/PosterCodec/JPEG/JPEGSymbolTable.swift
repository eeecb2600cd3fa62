/// A Huffman code of a JPEG (T.81, C.2) with a lookup table that finds most symbols in one step.
struct JPEGSymbolTable {
    /// The symbol that the next bits of the data code.
    struct Entry {
        fileprivate(set) var word: UInt32

        /// The number of bits of the code and of the value that follows it.
        @inline(__always) var bitCount: Int { Int(self.word & 0x3F) }
        /// The number of bits of the code; 0 if no code, or only a longer one, begins with these bits.
        @inline(__always) var codeBits: Int { Int(self.word >> 8 & 0x1F) }
        /// The number of bits of the value (SSSS).
        @inline(__always) var size: Int { Int(self.word >> 16 & 0xF) }
        /// The number of zeros before the coefficient (RRRR).
        @inline(__always) var run: Int { Int(self.word >> 20 & 0xF) }
        /// Whether it is anything but a value after a run of zeros: the end of a block, sixteen zeros, or no symbol.
        @inline(__always) var isException: Bool { self.word & 1 << 31 != 0 }

        fileprivate static let none = Entry(word: 1 << 31)

        fileprivate init(word: UInt32) {
            self.word = word
        }

        fileprivate init(symbol: UInt8, codeBits: Int, isDC: Bool) {
            let (size, run) = (UInt32(symbol & 15), UInt32(symbol >> 4))
            self.word = UInt32(codeBits) + size | UInt32(codeBits) << 8 | size << 16 | run << 20
            if !isDC, size == 0 { self.word |= 1 << 31 }
        }

        /// The value after the code at the start of `buffer` (T.81, F.2.2.1).
        @inline(__always) func value(in buffer: UInt64) -> Int {
            let bits = buffer &<< UInt64(truncatingIfNeeded: self.codeBits)
            let magnitude = Int(truncatingIfNeeded: (bits &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- self.size))
            // Values that begin with a zero bit are negative.
            let isNegative = Int(truncatingIfNeeded: (~bits) &>> 63)
            return magnitude &- (isNegative &<< self.size) &+ isNegative
        }
    }

    /// Indexed by the next bits; then all symbols, by code length.
    private let entries: UnsafePointer<Entry>
    /// For lengths of 1 to 16 bits: the first code that is too large, left-aligned in 16 bits; then the index of the
    /// first symbol less its code.
    private let limits: UnsafePointer<Int32>

    /// Owns the memory of tables.
    final class Storage {
        private var tables: [JPEGSymbolTable] = []

        deinit {
            for table in self.tables {
                table.entries.deallocate()
                table.limits.deallocate()
            }
        }

        /// A table that lives as long as the storage; `nil` for a code that libjpeg rejects, or one with values that
        /// 8-bit pictures cannot have.
        ///
        /// - Parameters:
        ///   - counts: The number of symbols with codes of 1, 2 … 16 bits.
        ///   - values: The symbols, by length.
        func table(counts: some Collection<UInt8>, values: some Collection<UInt8>, isDC: Bool) -> JPEGSymbolTable? {
            guard counts.count == 16, values.count == counts.reduce(0, { $0 + Int($1) }), values.count <= 256,
                values.allSatisfy({ isDC ? $0 <= largest.dc : $0 & 15 <= largest.ac })
            else { return nil }
            var code = 0
            for (length, count) in zip(1..., counts) {
                code += Int(count)
                // No code consists of ones only.
                guard code < 1 << length else { return nil }
                code <<= 1
            }
            let table = JPEGSymbolTable(counts: counts, values: values, isDC: isDC)
            self.tables.append(table)
            return table
        }
    }

    private init(counts: some Collection<UInt8>, values: some Collection<UInt8>, isDC: Bool) {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: lookupCount + values.count)
        let limits = UnsafeMutablePointer<Int32>.allocate(capacity: 32)
        entries.initialize(repeating: .none, count: lookupCount)
        let lengths = zip(1..., counts).flatMap { repeatElement($0, count: Int($1)) }
        for (index, symbol) in zip(values, lengths).enumerated() {
            (entries + lookupCount + index).initialize(to: Entry(symbol: symbol.0, codeBits: symbol.1, isDC: isDC))
        }
        var (code, index) = (0, 0)
        for (length, count) in zip(1..., counts) {
            (limits + 15 + length).initialize(to: Int32(index - code))
            for _ in 0..<count {
                if length <= lookupBits {
                    let shift = lookupBits - length
                    (entries + code << shift).update(repeating: entries[lookupCount + index], count: 1 << shift)
                }
                code += 1
                index += 1
            }
            (limits + length - 1).initialize(to: Int32(code << (16 - length)))
            code <<= 1
        }
        self.entries = UnsafePointer(entries)
        self.limits = UnsafePointer(limits)
    }

    @inline(__always) func entry(of buffer: UInt64) -> Entry {
        self.entries[Int(truncatingIfNeeded: buffer &>> UInt64(64 - lookupBits))]
    }

    /// Finds a code that is too long for the lookup table.
    @inline(never) func longEntry(of buffer: UInt64) -> Entry {
        let next = Int32(truncatingIfNeeded: buffer >> 48)
        // Codes below a length's limit have this length: shorter ones would have been found before.
        for length in lookupBits + 1...16 where next < self.limits[length - 1] {
            return self.entries[lookupCount + Int(next >> Int32(16 - length) + self.limits[length + 15])]
        }
        return .none
    }
}

/// The number of bits per lookup.
private let lookupBits = 10
private let lookupCount = 1 << lookupBits
/// The largest value sizes of 8-bit pictures (T.81, F.1.2.1 and F.1.2.2).
private let largest: (dc: UInt8, ac: UInt8) = (11, 10)
