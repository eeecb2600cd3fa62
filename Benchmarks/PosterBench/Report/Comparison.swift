struct Comparison {
    struct Line {
        let name: String
        let unit: String
        let old, new: Double
        /// Whether the figure fails its gate.
        let isWorse: Bool
        let isGated: Bool
    }

    let lines: [Line]
    /// Gated figures of the old run that the new one lacks.
    let missing: [String]
    /// Whether machine-dependent counts were skipped, because the machines differ.
    let leftOutPerMachine: Bool

    init(old: Run, new: Run) {
        let isSameCode = old.machine.runsTheSameCode(as: new.machine)
        let figures = Dictionary(new.figures.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var (lines, missing, leftOut): ([Line], [String], Bool) = ([], [], false)
        for figure in old.figures {
            let isOff = figure.gate?.isPerMachine == true && !isSameCode
            leftOut = leftOut || isOff
            let gate = isOff ? nil : figure.gate
            // A figure in another unit is another figure.
            guard let other = figures[figure.name], other.unit == figure.unit else {
                if gate != nil { missing.append(figure.name) }
                continue
            }
            let isWorse = gate?.isBroken(from: figure.value, to: other.value) ?? false
            lines.append(
                Line(
                    name: figure.name, unit: figure.unit, old: figure.value, new: other.value, isWorse: isWorse,
                    isGated: gate != nil))
        }
        (self.lines, self.missing, self.leftOutPerMachine) = (lines, missing, leftOut)
    }

    var isGood: Bool { self.missing.isEmpty && self.gatesAnything && !self.lines.contains(where: \.isWorse) }

    var gatesAnything: Bool { self.lines.contains(where: \.isGated) || self.leftOutPerMachine }
}
