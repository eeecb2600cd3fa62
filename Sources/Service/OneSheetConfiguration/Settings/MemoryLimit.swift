import Foundation

/// The memory available to the process: the smallest limit of its control groups, at most the machine's memory.
package enum MemoryLimit {
    /// The limit in bytes, from `/proc` and `/sys` below `root`; `nil` if neither is readable.
    package static func current(root: String = "") -> Int? {
        let groups = self.groups(root, controller: "memory")
        // A limit above the machine's memory has no effect.
        return [
            groups.unified.flatMap { self.smallest("memory.max", in: $0, below: root + "/sys/fs/cgroup") },
            groups.own.flatMap {
                self.smallest("memory.limit_in_bytes", in: $0, below: root + "/sys/fs/cgroup/memory")
            },
            self.machineMemory(root),
        ].compactMap(\.self).min()
    }

    /// The process's groups of version 2 and of a controller of version 1.
    static func groups(_ root: String, controller: Substring) -> (unified: String?, own: String?) {
        var groups: (unified: String?, own: String?)
        for line in self.text(root + "/proc/self/cgroup")?.split(separator: "\n") ?? [] {
            // hierarchy:controllers:path
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            if parts[0] == "0", parts[1].isEmpty { groups.unified = String(parts[2]) }
            if parts[1].split(separator: ",").contains(controller) { groups.own = String(parts[2]) }
        }
        return groups
    }

    /// The smallest limit of a group and its ancestors. In a container the path may be the host's; then only the top is
    /// readable.
    static func smallest(_ file: String, in group: String, below top: String) -> Int? {
        var names = group.split(separator: "/")
        // A group outside the container's own has ".." in its path.
        if names.contains("..") { names = [] }
        var smallest: Int?
        while true {
            let path = ([top] + names.map(String.init) + [file]).joined(separator: "/")
            // "max" means no limit.
            let limit = self.text(path).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
            if let limit, limit > 0 { smallest = min(smallest ?? limit, limit) }
            guard names.popLast() != nil else { return smallest }
        }
    }

    private static func machineMemory(_ root: String) -> Int? {
        // "MemTotal:       16316412 kB"
        let line = self.text(root + "/proc/meminfo")?.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return kibibytes.map { $0 * 1024 }
    }

    /// `nil` for a missing file: the kernel determines which controllers exist.
    private static func text(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }

    /// Parses a percentage of the available memory, a whole number, or a byte count.
    ///
    /// - Parameter available: Returns 100 % in bytes; called for percentages only.
    static func parse(_ text: String, available: () -> Int? = { MemoryLimit.current() }) -> Int? {
        guard text.hasSuffix("%") else { return ByteCount.parse(text) }
        guard let percent = ByteCount.number(in: text, before: "%"), percent <= 100, let available = available() else {
            return nil
        }
        // Divided first: without a limit, or with one near 2⁶³, the product would overflow.
        return available / 100 * percent
    }
}

package enum ByteCount {
    private static let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)]

    /// Parses "1048576", "1024 KiB" or "1MiB"; `nil` for any other text and on overflow.
    package static func parse(_ text: String) -> Int? {
        let unit = self.units.first { text.hasSuffix($0.0) } ?? ("", 1)
        guard let number = self.number(in: text, before: unit.0) else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit.1)
        return overflow ? nil : bytes
    }

    /// Parses the digits before a unit, with an optional space between; `nil` for any other text.
    static func number(in text: String, before unit: String) -> Int? {
        var digits = text.dropLast(unit.count)
        if !unit.isEmpty, digits.last == " " { digits.removeLast() }
        return digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil
    }

    /// The sum of counts that are not negative; the largest number on overflow.
    package static func sum(_ counts: some Sequence<Int>) -> Int {
        counts.reduce(0) { total, count in
            let (sum, overflow) = total.addingReportingOverflow(count)
            return overflow ? .max : sum
        }
    }

    /// Formats a count with one decimal, such as "2.1 MiB".
    package static func describe(_ bytes: Int) -> String {
        guard let unit = self.units.first(where: { bytes >= $0.1 }), unit.1 > 1 else { return "\(bytes) B" }
        // Divided before it is scaled: ten times 8 EiB would overflow.
        let (whole, rest) = bytes.quotientAndRemainder(dividingBy: unit.1)
        let tenths = whole * 10 + (rest * 10 + unit.1 / 2) / unit.1
        return "\(tenths / 10).\(tenths % 10) \(unit.0)"
    }
}
