/// FNV-1a with 64 bits: the same in every process.
enum FontFingerprint {
    static func value(of bytes: some Sequence<UInt8>, seed: UInt64) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
