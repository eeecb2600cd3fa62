/// A number as stores show it: `950`, `1.2K`, `3.4M`.
public struct AbbreviatedCount: Hashable, Sendable, CustomStringConvertible {
    /// Rounded down, so that it claims no more than there is.
    public let description: String

    /// - Parameter count: Negative ones are taken for 0.
    public init(_ count: Int) {
        let count = max(0, count)
        let units = [(1_000_000_000, "B"), (1_000_000, "M"), (1000, "K")]
        guard let (unit, name) = units.first(where: { count >= $0.0 }) else {
            self.description = "\(count)"
            return
        }
        let tenths = count / (unit / 10)
        self.description = tenths % 10 == 0 ? "\(tenths / 10)\(name)" : "\(tenths / 10).\(tenths % 10)\(name)"
    }
}
