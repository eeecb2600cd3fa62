/// The header fields that an answer depends on, or could have (RFC 9110, 12.5.5).
struct Variance: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let accept = Variance(rawValue: 1)
    static let ratio = Variance(rawValue: 2)
    static let width = Variance(rawValue: 4)
    static let saveData = Variance(rawValue: 8)

    /// Whether a hint could have changed the answer.
    var hasHints: Bool { !self.isDisjoint(with: [.ratio, .width, .saveData]) }

    /// The value of `Vary`; nil when nothing mattered.
    var fieldValue: String? { Self.values[Int(self.rawValue)] }

    /// Of every combination, since answers are many and these are few.
    private static let values: [String?] = (0..<16).map { (bits: UInt8) in
        let names = ["Accept", "Sec-CH-DPR", "Sec-CH-Width", "Save-Data"].enumerated()
            .compactMap { bits & (1 << $0) != 0 ? $1 : nil }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}
