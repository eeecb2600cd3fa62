/// Decoded parameters of a query, each at most once.
package struct QueryParameters {
    private var values: [String: String] = [:]

    /// - Parameters:
    ///   - pairs: Names and values, decoded.
    ///   - known: The names that the resource accepts.
    ///   - names: The same, as error texts name them.
    /// - Throws: ``Problem`` that names the parameter which is not known, or given twice.
    package init(_ pairs: [(name: String, value: String)], known: [String], names: String) throws(Problem) {
        for (name, value) in pairs {
            guard known.contains(name) else {
                throw Problem(
                    .invalidParameter, "'\(name.prefix(64))' is no parameter of this resource; it takes \(names)")
            }
            guard self.values.updateValue(value, forKey: name) == nil else {
                throw Problem(.invalidParameter, "\(name) is given more than once")
            }
        }
    }

    /// Whether there is a parameter that is not one of these.
    package func hasOthers(than names: Set<String>) -> Bool {
        self.values.keys.contains { !names.contains($0) }
    }

    package subscript(name: String) -> String? { self.values[name] }

    /// - Parameter accepted: What `parse` accepts, as error texts say it.
    /// - Returns: nil when the parameter is absent.
    package func value<Value>(_ name: String, accepted: String, _ parse: (String) -> Value?) throws(Problem) -> Value? {
        guard let text = self.values[name] else { return nil }
        guard let value = parse(text) else { throw Problem(.invalidParameter, "\(name) must be \(accepted)") }
        return value
    }

    /// One of the cases by its raw value; nil when the parameter is absent.
    package func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        let all = Choice.allCases.map(\.rawValue)
        let accepted = all.dropLast().joined(separator: ", ") + " or " + (all.last ?? "")
        return try self.value(name, accepted: accepted) { Choice(rawValue: $0) }
    }

    /// Parses decimal digits without a sign or leading zeros, so that a number has one spelling, and a picture one cache entry.
    package static func number(_ text: String) -> Int? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
        return isNumber && (text.utf8.first != 48 || text == "0") ? Int(text) : nil
    }
}
