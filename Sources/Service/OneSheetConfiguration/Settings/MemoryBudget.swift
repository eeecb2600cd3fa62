/// Memory as people give it: so many bytes, or a part of what there is.
enum MemoryBudget {
    /// Reads "25%", or whatever `bytes` reads.
    ///
    /// - Parameters:
    ///   - text: Percentages are whole numbers from 0 to 100.
    ///   - available: What 100 % is, in bytes; asked only for percentages. nil when it is not known.
    ///   - bytes: Reads a number of bytes.
    /// - Returns: In bytes; nil for what cannot be used.
    static func parse(
        _ text: String, available: () -> Int? = { MemoryLimit.current()?.bytes }, bytes: (String) -> Int?
    ) -> Int? {
        guard text.hasSuffix("%") else { return bytes(text) }
        var digits = text.dropLast()
        if digits.last == " " { digits.removeLast() }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let percent = Int(digits),
            percent <= 100, let available = available()
        else {
            return nil
        }
        // Divided first: there are machines without a limit, and limits near 2⁶³.
        return available / 100 * percent
    }
}
