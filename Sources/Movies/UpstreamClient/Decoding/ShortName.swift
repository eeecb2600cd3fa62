/// A name of at most eight bytes of ASCII, compared and hashed as an integer.
struct ShortName: Hashable {
    static let maxLength = 8

    private let number: UInt64

    /// - Parameter bytes: At most ``maxLength``.
    init(_ bytes: some Sequence<UInt8>) {
        var number: UInt64 = 0
        for byte in bytes { number = number << 8 | UInt64(byte) }
        self.number = number
    }
}
