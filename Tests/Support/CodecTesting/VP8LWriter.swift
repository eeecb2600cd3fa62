/// Writes lossless WebP bit streams (RFC 9649, 3): prefix codes with chosen lengths, and symbols.
package struct VP8LWriter {
    /// The written bytes; the last one is padded with zeros.
    package private(set) var bytes: [UInt8] = []
    /// Number of bits written.
    package private(set) var count = 0

    package init() {}

    /// - Parameter bitCount: Number of bits to write, at most 32; the least significant bit is first.
    package mutating func write(_ value: Int, _ bitCount: Int) {
        var (value, left) = (value & (1 << bitCount - 1), bitCount)
        while left > 0 {
            if self.count & 7 == 0 { self.bytes.append(0) }
            let space = 8 - self.count & 7
            self.bytes[self.bytes.count - 1] |= UInt8(truncatingIfNeeded: value << (self.count & 7))
            let written = min(space, left)
            value >>= written
            left -= written
            self.count += written
        }
    }

    /// Appends all bits of another writer `times` times.
    package mutating func write(_ other: VP8LWriter, times: Int = 1) {
        guard other.count > 0 else { return }
        let lastCount = (other.count - 1) & 7 + 1
        for _ in 0..<times {
            let shift = self.count & 7
            if shift == 0 {
                self.bytes += other.bytes
            } else {
                var carry = self.bytes.removeLast()
                for byte in other.bytes {
                    self.bytes.append(carry | byte << UInt8(shift))
                    carry = byte >> UInt8(8 - shift)
                }
                if shift + lastCount > 8 { self.bytes.append(carry) }
            }
            self.count += other.count
        }
    }

    /// Writes the definitions of five codes: green, red, blue, alpha and distance.
    package mutating func define(_ codes: [VP8LCode]) {
        for code in codes { code.define(in: &self) }
    }
}

/// A canonical prefix code, defined by the lengths of its codes.
package struct VP8LCode {
    /// Code length of each symbol in bits: 0...15, 0 if unused. The code is complete or has a single symbol.
    package let lengths: [Int]
    private let codes: [Int]
    private let isSingle: Bool

    package init(lengths: [Int]) {
        self.lengths = lengths
        var codes = [Int](repeating: 0, count: lengths.count)
        self.isSingle = lengths.count(where: { $0 > 0 }) == 1
        if !self.isSingle {
            var next = 0
            for length in 1...15 {
                for symbol in lengths.indices where lengths[symbol] == length {
                    codes[symbol] = (0..<length).reduce(0) { $0 << 1 | next >> (15 - length + $1) & 1 }
                    next += 1 << (15 - length)
                }
            }
        }
        self.codes = codes
    }

    /// A code of one symbol, which takes no bits.
    package static func only(_ symbol: Int, of alphabet: Int = 256) -> VP8LCode {
        VP8LCode(lengths: (0..<alphabet).map { $0 == symbol ? 1 : 0 })
    }

    /// A code of the alphabet's first 2^`bits` symbols, `bits` bits each.
    package static func flat(bits: Int, of alphabet: Int = 256) -> VP8LCode {
        VP8LCode(lengths: (0..<alphabet).map { $0 < 1 << bits ? bits : 0 })
    }

    /// A single-symbol code of the alphabet of green, lengths and a colour cache.
    package static func onlyGreen(_ symbol: Int, cacheBits: Int = 0) -> VP8LCode {
        .only(symbol, of: Self.greenAlphabet(cacheBits))
    }

    package static let distances = VP8LCode.only(0, of: 40)

    package static func greenAlphabet(_ cacheBits: Int) -> Int {
        280 + (cacheBits == 0 ? 0 : 1 << cacheBits)
    }

    package func write(_ symbol: Int, to writer: inout VP8LWriter) {
        guard !self.isSingle else { return }
        writer.write(self.codes[symbol], self.lengths[symbol])
    }

    /// Writes a simple code if there is one symbol below 256, otherwise a normal one.
    func define(in writer: inout VP8LWriter) {
        let symbols = self.lengths.indices.filter { self.lengths[$0] > 0 }
        if let symbol = symbols.first, symbols.count == 1, symbol < 256 {
            writer.write(1, 1)
            writer.write(0, 1)
            writer.write(symbol > 1 ? 1 : 0, 1)
            writer.write(symbol, symbol > 1 ? 8 : 1)
        } else {
            self.defineNormally(in: &writer)
        }
    }

    /// Code lengths and repetition codes take four bits each; repetition is unused if lengths 13...15 occur.
    private func defineNormally(in writer: inout VP8LWriter) {
        let repeats = !self.lengths.contains { $0 > 12 }
        writer.write(0, 1)
        writer.write(19 - 4, 4)
        // `kCodeLengthCodeOrder` of the format.
        for symbol in [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] {
            writer.write((repeats ? symbol < 13 || symbol > 15 : symbol < 16) ? 4 : 0, 3)
        }
        writer.write(0, 1)
        let signs = VP8LCode(
            lengths: (0..<19).map { (repeats ? $0 < 13 || $0 > 15 : $0 < 16) ? 4 : 0 })
        var index = 0
        while index < self.lengths.count {
            let length = self.lengths[index]
            let run = self.lengths[index...].prefix { $0 == length }.count
            index += signs.defineRun(of: length, run, isFirst: !repeats, in: &writer)
        }
    }

    /// - Returns: The number of lengths written.
    private func defineRun(of length: Int, _ run: Int, isFirst: Bool, in writer: inout VP8LWriter) -> Int {
        if length == 0, run >= 11, !isFirst {
            let count = min(run, 138)
            self.write(18, to: &writer)
            writer.write(count - 11, 7)
            return count
        }
        self.write(length, to: &writer)
        guard length > 0, !isFirst else { return 1 }
        var left = run - 1
        while left >= 3 {
            let count = min(left, 6)
            self.write(16, to: &writer)
            writer.write(count - 3, 2)
            left -= count
        }
        return run - left
    }
}
