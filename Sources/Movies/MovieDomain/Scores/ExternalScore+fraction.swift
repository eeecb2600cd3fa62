extension ExternalScore {
    /// The maximal length of a readable value in bytes.
    private static let valueLimit = 16

    /// The score as a part of the best one, 0...1: 0.87 for `8.7/10`, `87%` and `87/100`.
    ///
    /// - Returns: `nil` for other forms, and scores above the best one.
    package var fraction: Double? {
        let text = self.value.utf8
        guard text.count <= Self.valueLimit else { return nil }
        if text.last == UInt8(ascii: "%") { return Self.fraction(text.dropLast(), of: 100) }
        let parts = text.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, let scale = [5, 10, 100].first(where: { String($0).utf8.elementsEqual(parts[1]) })
        else {
            return nil
        }
        return Self.fraction(parts[0], of: scale)
    }

    /// - Parameter number: Digits, with at most two decimals.
    private static func fraction(_ number: Substring.UTF8View, of scale: Int) -> Double? {
        let parts = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), (1...3).contains(parts[0].count),
            parts.count == 1 || (1...2).contains(parts[1].count),
            parts.allSatisfy({ $0.allSatisfy { (48...57).contains($0) } }),
            let value = Double(String(Substring(number))), value <= Double(scale)
        else { return nil }
        return value / Double(scale)
    }
}
