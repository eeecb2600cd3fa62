/// Writes Prometheus's text exposition format 0.0.4.
struct PrometheusWriter {
    private(set) var text = ""

    mutating func write(_ family: MetricFamily) {
        self.head(family.name, family.kind, family.help)
        for (_, series) in family.series.sorted(by: { $0.key < $1.key }) { series.write(to: &self) }
    }

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

    /// - Parameter counts: The non-cumulative count of each bucket; one more than there are bounds.
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

    /// Formats a value; whole numbers that a `Double` represents exactly have no decimal point.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}

/// The name and labels that identify a series, in the characters that Prometheus allows.
struct SeriesName: Hashable, Sendable {
    /// The metric's name: letters, digits and underscores, not beginning with a digit.
    let metric: String
    /// The formatted labels without braces; empty without labels.
    let labels: String

    /// - Parameters:
    ///   - suffix: Appended to the name unless it has it.
    ///   - valueLength: The maximum length of a label's value, in bytes.
    init(
        _ label: String, _ dimensions: [(String, String)], kind: MetricFamily.Kind, suffix: String, valueLength: Int
    ) {
        let name = Self.acceptable(label)
        self.metric = name.hasSuffix(suffix) ? name : name + suffix
        var known: Set<String> = []
        self.labels = dimensions.map { name, value in (Self.labelName(name, kind), value) }
            .filter { known.insert($0.0).inserted }
            .map { "\($0.0)=\"\(Self.escaped($0.1, atMost: valueLength))\"" }
            .sorted().joined(separator: ",")
    }

    /// Replaces all other characters by underscores.
    private static func acceptable(_ text: String) -> String {
        let name = String(
            decoding: text.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    byte
                default: UInt8(ascii: "_")
                }
            }, as: UTF8.self)
        return name.first.map { $0.isNumber ? "_" + name : name } ?? "_"
    }

    private static func labelName(_ text: String, _ kind: MetricFamily.Kind) -> String {
        var name = self.acceptable(text)
        // Names with two leading underscores are reserved by Prometheus, and `le` is the label of buckets.
        while name.hasPrefix("__") { name.removeFirst() }
        return name == "le" && kind == .histogram ? "le_" : name
    }

    static func escaped(_ text: String, atMost length: Int = .max) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= length else { break }
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
