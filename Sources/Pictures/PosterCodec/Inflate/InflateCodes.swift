/// The decode tables of a block. No lookup reads outside of them.
struct InflateCodes: ~Copyable {
    /// Literals, the end of the block, and lengths (RFC 1951, 3.2.5).
    private(set) var literals: InflateTable
    private(set) var distances: InflateTable
    /// The code of the code lengths (3.2.7).
    private(set) var precodes: InflateTable
    private var isFixed = false

    // Each table has its own memory, so that AddressSanitizer checks its bounds. The sizes are the alphabets' sizes,
    // and the maximum entries of tables of 11, 8 and 7 bits with their subtables, by zlib's `enough`.
    private let literalEntries = ScratchMemory(count: 2342, repeating: InflateEntry.invalid.coded(1))
    private let distanceEntries = ScratchMemory(count: 402, repeating: InflateEntry.invalid.coded(1))
    private let precodeEntries = ScratchMemory(count: 128, repeating: InflateEntry.invalid.coded(1))
    private let lengthMemory = ScratchMemory<UInt8>(count: 320, repeating: 0)

    /// The code lengths of the block in bits: first the literals', then the distances'.
    var lengths: UnsafeMutablePointer<UInt8> { self.lengthMemory.start }

    init() {
        self.literals = InflateTable(self.literalEntries.start, capacity: 2342, rootBits: 11)
        self.distances = InflateTable(self.distanceEntries.start, capacity: 402, rootBits: 8)
        self.precodes = InflateTable(self.precodeEntries.start, capacity: 128, rootBits: 7)
    }

    /// The same tables and lengths in other memory.
    borrowing func copy() -> InflateCodes {
        var copy = InflateCodes()
        copy.literals.copy(self.literals)
        copy.distances.copy(self.distances)
        copy.precodes.copy(self.precodes)
        copy.lengths.update(from: self.lengths, count: 320)
        copy.isFixed = self.isFixed
        return copy
    }

    /// The meanings of literals and lengths (3.2.5). 286 and 287 are invalid.
    private static let literalSymbols: [InflateEntry] = {
        var symbols = (0..<256).map { InflateEntry.literal($0) } + [.endOfBlock]
        var base = 3
        for symbol in 257..<285 {
            let extra = max(0, (symbol - 261) / 4)
            symbols.append(.base(base, extraBits: extra))
            base += 1 << extra
        }
        return symbols + [.base(258, extraBits: 0), .invalid, .invalid]
    }()

    /// The meanings of distances (3.2.5). 30 and 31 are invalid.
    private static let distanceSymbols: [InflateEntry] = {
        var symbols: [InflateEntry] = []
        var base = 1
        for symbol in 0..<30 {
            let extra = max(0, symbol / 2 - 1)
            symbols.append(.base(base, extraBits: extra))
            base += 1 << extra
        }
        return symbols + [.invalid, .invalid]
    }()

    private static let precodeSymbols = (0..<19).map { InflateEntry.base($0, extraBits: 0) }

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
            lengths: self.lengths, count: 19, symbols: Self.precodeSymbols, gaps: .areFirst)
    }

    /// Builds the tables of literals and distances from the lengths; returns `false` for invalid codes.
    mutating func set(literalCount: Int, distanceCount: Int) -> Bool {
        self.isFixed = false
        return self.lengths[256] != 0
            && self.literals.fill(
                lengths: self.lengths, count: literalCount, symbols: Self.literalSymbols, gaps: .areInvalid)
            && self.distances.fill(
                lengths: self.lengths + literalCount, count: distanceCount, symbols: Self.distanceSymbols,
                gaps: .areInvalid)
    }
}
