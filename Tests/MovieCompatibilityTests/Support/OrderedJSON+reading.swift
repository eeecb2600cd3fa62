@testable import MovieCompatibility

extension OrderedJSON {
    /// The values at a path such as `results/*/trackName`, where `*` stands for every element; `nil` for missing ones.
    func values(at path: String) -> [OrderedJSON?] {
        path.split(separator: "/").reduce([self] as [OrderedJSON?]) { values, name in
            values.flatMap { value -> [OrderedJSON?] in
                if name == "*" { return (value?.elements ?? []).map { Optional($0) } }
                return [value?[String(name)]]
            }
        }
    }

    /// The paths at which a client reads other values than in a recorded response, ignoring values that the recording
    /// lacks.
    func differences(from recorded: OrderedJSON, at paths: [String]) -> [String] {
        paths.filter { path in
            let (own, others) = (self.values(at: path), recorded.values(at: path))
            guard own.count == others.count else { return true }
            return !zip(own, others).allSatisfy { own, other in other.map { $0.isRead(as: own) } ?? true }
        }
    }

    /// Whether a client reads the same in another value: texts are trimmed, and numbers are compared by value.
    private func isRead(as other: OrderedJSON?) -> Bool {
        switch (self, other) {
        case (.string(let text), .string(let other)?): Self.trimmed(text) == Self.trimmed(other)
        case (.array(let elements), .array(let others)?):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.isRead(as: $1) }
        case (.integer, .some(let other)), (.number, .some(let other)): self.number == other.number
        default: self == other
        }
    }

    private var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    private static func trimmed(_ text: String) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
