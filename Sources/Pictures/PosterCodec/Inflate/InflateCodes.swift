/// The decode tables of a block and the memory to build them. No lookup reads outside of them.
struct InflateCodes: ~Copyable {
    /// Literals, the end of the block, and lengths (RFC 1951, 3.2.5).
    private(set) var literals: InflateTable
    private(set) var distances: InflateTable
    /// The code of the code lengths (3.2.7).
    private(set) var precodes: InflateTable
    /// The lengths of the block's codes in bits: those of the literals, then those of the distances.
    let lengths: UnsafeMutablePointer<UInt8>

    private let sorted: UnsafeMutablePointer<UInt16>
    private let literalSymbols: UnsafeMutablePointer<InflateEntry>
    private let distanceSymbols: UnsafeMutablePointer<InflateEntry>
    private let precodeSymbols: UnsafeMutablePointer<InflateEntry>
    private var isFixed = false

    /// The most entries of tables of 11, 8 and 7 bits with their subtables, by zlib's `enough` for 288, 32 and 19
    /// symbols; and the sizes of the alphabets.
    private static let counts = (literals: 2342, distances: 402, precodes: 128)
    private static let symbols = (literals: 288, distances: 32, precodes: 19)

    /// Allocates each table on its own, so that AddressSanitizer checks its bounds.
    private static func entries(_ count: Int) -> UnsafeMutablePointer<InflateEntry> {
        let entries = UnsafeMutablePointer<InflateEntry>.allocate(capacity: count)
        entries.initialize(repeating: .invalid.coded(1), count: count)
        return entries
    }

    init() {
        let (counts, symbols) = (Self.counts, Self.symbols)
        self.lengths = .allocate(capacity: 320)
        self.lengths.initialize(repeating: 0, count: 320)
        self.sorted = .allocate(capacity: 288)
        self.sorted.initialize(repeating: 0, count: 288)
        self.literals = InflateTable(Self.entries(counts.literals), capacity: counts.literals, rootBits: 11)
        self.distances = InflateTable(Self.entries(counts.distances), capacity: counts.distances, rootBits: 8)
        self.precodes = InflateTable(Self.entries(counts.precodes), capacity: counts.precodes, rootBits: 7)
        self.literalSymbols = Self.entries(symbols.literals)
        self.distanceSymbols = Self.entries(symbols.distances)
        self.precodeSymbols = Self.entries(symbols.precodes)
        self.setSymbols()
    }

    deinit {
        for entries in [
            self.literals.entries, self.distances.entries, self.precodes.entries,
            self.literalSymbols, self.distanceSymbols, self.precodeSymbols,
        ] { entries.deallocate() }
        self.lengths.deallocate()
        self.sorted.deallocate()
    }

    /// Sets the meanings of the symbols (3.2.5). Lengths 286 and 287, and distances 30 and 31, stay invalid.
    private func setSymbols() {
        for byte in 0..<256 { self.literalSymbols[byte] = .literal(byte) }
        for symbol in 256..<288 { self.literalSymbols[symbol] = .invalid }
        for symbol in 0..<32 { self.distanceSymbols[symbol] = .invalid }
        self.literalSymbols[256] = .endOfBlock
        var base = 3
        for symbol in 257..<285 {
            let extra = max(0, (symbol - 261) / 4)
            self.literalSymbols[symbol] = .base(base, extraBits: extra)
            base += 1 << extra
        }
        self.literalSymbols[285] = .base(258, extraBits: 0)
        base = 1
        for symbol in 0..<30 {
            let extra = max(0, symbol / 2 - 1)
            self.distanceSymbols[symbol] = .base(base, extraBits: extra)
            base += 1 << extra
        }
        for symbol in 0..<19 { self.precodeSymbols[symbol] = .base(symbol, extraBits: 0) }
    }

    /// Builds the tables of the fixed codes (3.2.6).
    mutating func setFixed() {
        guard !self.isFixed else { return }
        for symbol in 0..<288 {
            self.lengths[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8
        }
        for symbol in 0..<32 { self.lengths[288 + symbol] = 5 }
        self.isFixed = self.set(literalCount: 288, distanceCount: 32)
    }

    /// Builds the table of the code lengths from the first 19 lengths.
    mutating func setPrecodes() -> Bool {
        self.precodes.fill(
            lengths: self.lengths, count: 19, symbols: self.precodeSymbols, sorted: self.sorted, gaps: .areFirst)
    }

    /// Builds the tables of literals and distances from the lengths; false for invalid codes.
    mutating func set(literalCount: Int, distanceCount: Int) -> Bool {
        self.isFixed = false
        return self.lengths[256] != 0
            && self.literals.fill(
                lengths: self.lengths, count: literalCount, symbols: self.literalSymbols, sorted: self.sorted,
                gaps: .areInvalid)
            && self.distances.fill(
                lengths: self.lengths + literalCount, count: distanceCount, symbols: self.distanceSymbols,
                sorted: self.sorted, gaps: .areInvalid)
    }
}
