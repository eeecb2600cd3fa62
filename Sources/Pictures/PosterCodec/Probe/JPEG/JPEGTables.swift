/// Where a JPEG's quantisers and AC codes are while its segments go by; they are read only when a scan uses them.
struct JPEGTables {
    private let bytes: UnsafeRawBufferPointer
    private var quantisers = [Range<Int>?](repeating: nil, count: 4)
    private var codes = [Range<Int>?](repeating: nil, count: 4)

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Notes the tables of a DQT segment (T.81, B.2.4.1).
    ///
    /// - Returns: False when they do not fill the segment.
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

    /// Notes the AC tables of a DHT segment (T.81, B.2.4.2).
    ///
    /// - Returns: False when they do not fill the segment.
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

    /// The 64 steps of a quantiser in zigzag order; none when there was no such table.
    func quantiser(_ index: Int) -> [Int] {
        guard let range = self.quantisers[index] else { return [] }
        let table = self.bytes[range]
        guard range.count == 128 else { return table.map(Int.init) }
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
            Int(table[$0]) << 8 | Int(table[$0 + 1])
        }
    }

    /// - Parameter index: 0...15, as a scan header may say.
    func code(_ index: Int) -> JPEGRunCode? {
        guard index < 4, let range = self.codes[index] else { return nil }
        return JPEGRunCode(counts: self.bytes[range].prefix(16), values: self.bytes[range].dropFirst(16))
    }
}
