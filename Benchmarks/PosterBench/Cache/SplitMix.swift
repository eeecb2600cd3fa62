/// A random number generator with the same sequence in every run: SplitMix64 (Steele, Lea, Flood, "Fast Splittable
/// Pseudorandom Number Generators", OOPSLA 2014).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        self.state = seed
    }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(self.state)
    }

    /// A number in 0..<1.
    mutating func nextUnit() -> Double {
        Double(self.next() >> 11) * 0x1p-53
    }

    /// A number in 0..<count. The multiplication's bias, `count` / 2^64, is negligible.
    mutating func next(below count: Int) -> Int {
        Int(self.next().multipliedFullWidth(by: UInt64(count)).high)
    }

    /// Hashes a word.
    static func mixed(_ word: UInt64) -> UInt64 {
        var z = word
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
