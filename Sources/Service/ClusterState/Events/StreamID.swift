/// The id of a stream's entry: Redis's milliseconds since 1970, and a sequence number within a millisecond.
package struct StreamID: Hashable, Sendable, Comparable, CustomStringConvertible {
    let milliseconds: UInt64
    let sequence: UInt64

    static let zero = StreamID(milliseconds: 0, sequence: 0)

    init(milliseconds: UInt64, sequence: UInt64) {
        self.milliseconds = milliseconds
        self.sequence = sequence
    }

    /// - Parameter text: An id such as `1700000000000-0`.
    package init?(_ text: String) {
        // By bytes, as other nodes' texts may have characters that are slow to compare.
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(Substring.init)
        guard parts.count == 2, let milliseconds = UInt64(parts[0]), let sequence = UInt64(parts[1]) else { return nil }
        self.init(milliseconds: milliseconds, sequence: sequence)
    }

    package var description: String { "\(self.milliseconds)-\(self.sequence)" }

    package static func < (left: Self, right: Self) -> Bool {
        (left.milliseconds, left.sequence) < (right.milliseconds, right.sequence)
    }
}
