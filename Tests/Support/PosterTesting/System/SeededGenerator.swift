import FoundationEssentials

/// A random number generator with the same sequence in every run (SplitMix64, Steele et al. 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        self.state = seed
    }

    package mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Whether an event of this probability in hundredths occurs.
    package mutating func occurs(_ hundredths: Int) -> Bool { Int.random(in: 0..<100, using: &self) < hundredths }
}

/// Seeds of tests with random operations, as arguments of the test: Swift Testing prints the seed of a failure, and
/// `ONESHEET_SEED` replays it alone.
package enum TestSeeds {
    /// The seeds `0..<count`, or the one in `ONESHEET_SEED`.
    package static func first(_ count: UInt64) -> [UInt64] {
        if let seed = ProcessInfo.processInfo.environment["ONESHEET_SEED"].flatMap(UInt64.init) { return [seed] }
        return Array(0..<count)
    }
}
