/// A count in a few characters, as stores write it: `999`, `1.2K`, `3.4M`. What is cut off is not rounded up.
public struct ShortCount: Hashable, Sendable, CustomStringConvertible {
    /// At most five characters below a thousand milliards.
    public let description: String

    /// Negative numbers are taken for 0.
    public init(_ count: Int) {
        let count = max(0, count)
        let scale = [(1_000_000_000, "B"), (1_000_000, "M"), (1000, "K")].first { count >= $0.0 }
        guard let (unit, letter) = scale else {
            self.description = String(count)
            return
        }
        let tenths = count / (unit / 10)
        self.description = (tenths % 10 == 0 ? String(tenths / 10) : Self.tenths(tenths)) + letter
    }

    /// A number of bytes as stores write it, by thousands (IEC 80000-13's SI prefixes): `123.4 MB`.
    static func bytes(_ count: Int64) -> String {
        let scale = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "KB")].first { count >= $0.0 }
        guard let (unit, name) = scale else { return "\(count) bytes" }
        return Self.tenths(Int(count / Int64(unit / 10))) + " " + name
    }

    /// `45` is `4.5`.
    static func tenths(_ tenths: Int) -> String { "\(tenths / 10).\(tenths % 10)" }
}
