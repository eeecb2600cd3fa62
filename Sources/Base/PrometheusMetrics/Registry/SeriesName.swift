/// What tells a series from others, in the characters that Prometheus allows.
struct SeriesName: Hashable, Sendable {
    /// The metric's: letters, digits and underscores, and no digit first.
    let metric: String
    /// As they are told, without braces; empty without labels.
    let labels: String

    /// - Parameters:
    ///   - suffix: What the name ends in, unless it does so already.
    ///   - valueLength: The longest value of a label, in bytes.
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

    /// All else becomes an underscore.
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
        // Two underscores are Prometheus's own, and `le` is a bucket's.
        while name.hasPrefix("__") { name.removeFirst() }
        return name == "le" && kind == .histogram ? "le_" : name
    }

    /// A value as it stands between quotes.
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
