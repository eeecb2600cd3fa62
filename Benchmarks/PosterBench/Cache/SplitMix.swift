/// Random numbers that are the same in every run: SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        self.state = seed
    }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(self.state)
    }

    /// At least 0 and below 1.
    mutating func nextUnit() -> Double {
        Double(self.next() >> 11) * 0x1p-53
    }

    /// Below `count`; the multiplication's bias, `count` / 2^64, is nothing here.
    mutating func next(below count: Int) -> Int {
        Int(self.next().multipliedFullWidth(by: UInt64(count)).high)
    }

    /// A good hash of one word.
    static func mixed(_ word: UInt64) -> UInt64 {
        var z = word
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
