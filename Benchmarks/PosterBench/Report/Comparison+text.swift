extension Comparison {
    /// - Parameter isShort: Lists only worse figures, and a summary.
    func text(isShort: Bool) -> String {
        let shown = self.lines.filter { !isShort || $0.isWorse }
        var parts: [String] = []
        if !shown.isEmpty {
            let rows = shown.map { line in
                [
                    line.name, line.unit, Self.number(line.old), Self.number(line.new), Self.ratio(line),
                    Self.verdict(line),
                ]
            }
            parts.append(TextTable(rows: [["figure", "unit", "before", "now", "ratio", ""]] + rows).text)
        }
        for name in self.missing { parts.append("missing now: \(name)") }
        if self.leftOutPerMachine {
            parts.append("CPU or libraries differ, so figures that depend on them are not compared.")
        }
        if !self.gatesAnything {
            parts.append("No gated figures were compared: are these runs of the same command?")
        }
        let gated = self.lines.filter(\.isGated)
        let worse = gated.filter(\.isWorse).count + self.missing.count
        parts.append("\(gated.count) gated figures compared, \(worse) worse than their noise band allows.")
        return parts.joined(separator: "\n")
    }

    private static func verdict(_ line: Line) -> String {
        line.isWorse ? "WORSE" : line.isGated ? "ok" : "not gated"
    }

    private static func ratio(_ line: Line) -> String {
        line.old == 0 ? (line.new == 0 ? "1.000" : "–") : (line.new / line.old).fixed(3)
    }

    private static func number(_ value: Double) -> String {
        value.magnitude >= 1000 || value == value.rounded() ? value.fixed(0) : value.fixed(3)
    }
}
