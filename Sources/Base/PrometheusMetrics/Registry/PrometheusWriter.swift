/// Writes the text exposition format 0.0.4.
struct PrometheusWriter {
    private(set) var text = ""

    mutating func write(_ family: MetricFamily) {
        self.head(family.name, family.kind, family.help)
        for (_, series) in family.series.sorted(by: { $0.key < $1.key }) { series.write(to: &self) }
    }

    /// - Parameter help: A sentence.
    mutating func head(_ name: String, _ kind: MetricFamily.Kind, _ help: String) {
        let help = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        self.text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func sample(_ name: SeriesName, _ value: String) {
        self.text += name.metric
        if !name.labels.isEmpty { self.text += "{\(name.labels)}" }
        self.text += " \(value)\n"
    }

    mutating func sample(_ name: SeriesName, _ value: Double) {
        self.sample(name, Self.number(value))
    }

    /// - Parameters:
    ///   - counts: Of each bucket alone; one more than there are bounds.
    mutating func histogram(_ name: SeriesName, bounds: [Double], counts: [Int64], sum: Double) {
        let prefix = name.labels.isEmpty ? "" : name.labels + ","
        var total: Int64 = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < bounds.count ? Self.number(bounds[index]) : "+Inf"
            self.text += "\(name.metric)_bucket{\(prefix)le=\"\(bound)\"} \(total)\n"
        }
        let labels = name.labels.isEmpty ? "" : "{\(name.labels)}"
        self.text += "\(name.metric)_sum\(labels) \(Self.number(sum))\n\(name.metric)_count\(labels) \(total)\n"
    }

    /// Whole numbers without a point, as far as a `Double` holds them.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}
