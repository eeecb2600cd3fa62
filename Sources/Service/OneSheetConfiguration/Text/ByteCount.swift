/// Numbers of bytes as people write and read them.
package enum ByteCount {
    private static let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)]

    /// Reads "1048576", "1024 KiB" or "1MiB"; nil for anything else, and for what does not fit.
    package static func parse(_ text: String) -> Int? {
        let unit = self.units.first { text.hasSuffix($0.0) }
        var digits = text.dropLast(unit?.0.count ?? 0)
        if unit != nil, digits.last == " " { digits.removeLast() }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits) else {
            return nil
        }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        return overflow ? nil : bytes
    }

    /// "2.1 MiB".
    package static func describe(_ bytes: Int) -> String {
        guard let unit = self.units.first(where: { bytes >= $0.1 }), unit.1 > 1 else { return "\(bytes) B" }
        let tenths = (bytes * 10 + unit.1 / 2) / unit.1
        return "\(tenths / 10).\(tenths % 10) \(unit.0)"
    }
}
