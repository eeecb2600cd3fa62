package import HTTPSemantics

/// The query parameters of a request, each at most once.
package struct QueryParameters {
    private var values: [String: String] = [:]

    /// - Parameters:
    ///   - pairs: Decoded.
    ///   - known: The accepted names.
    ///   - names: The same as text, for the error.
    /// - Throws: ``Problem`` that names the unknown or repeated parameter.
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

    /// Whether there is a parameter besides `names`.
    func hasOthers(than names: Set<String>) -> Bool {
        self.values.keys.contains { !names.contains($0) }
    }

    package subscript(name: String) -> String? { self.values[name] }

    /// - Parameter accepted: The values that `parse` accepts as text, for the error.
    /// - Returns: nil without the parameter.
    package func value<Value>(_ name: String, accepted: String, _ parse: (String) -> Value?) throws(Problem) -> Value? {
        guard let text = self.values[name] else { return nil }
        guard let value = parse(text) else { throw Problem(.invalidParameter, "\(name) must be \(accepted)") }
        return value
    }

    package func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        let all = Choice.allCases.map(\.rawValue)
        let accepted = all.dropLast().joined(separator: ", ") + " or " + (all.last ?? "")
        return try self.value(name, accepted: accepted) { Choice(rawValue: $0) }
    }

    /// In pixels.
    func side(_ name: String) throws(Problem) -> Int? {
        let sides = PosterQuery.sides
        return try self.value(
            name, accepted: "a whole number of pixels from \(sides.lowerBound) to \(sides.upperBound)"
        ) { text in
            Self.number(text).flatMap { sides.contains($0) ? $0 : nil }
        }
    }

    /// 1...100.
    func quality() throws(Problem) -> Int? {
        try self.value("q", accepted: "a whole number from 1 to 100") { text in
            Self.number(text).flatMap { (1...100).contains($0) ? $0 : nil }
        }
    }

    /// `v`: the first digits of the original's digest; nil without one.
    func version() throws(Problem) -> String? {
        let isHexadecimal = { (byte: UInt8) in (48...57).contains(byte) || (97...102).contains(byte) }
        return try self.value("v", accepted: "8 to 64 lower-case hexadecimal digits") { text in
            (8...64).contains(text.utf8.count) && text.utf8.allSatisfy(isHexadecimal) ? text : nil
        }
    }

    /// Parses digits without sign and leading zeros: every other spelling of a number would be another entry of the same
    /// picture in shared caches.
    package static func number(_ text: String) -> Int? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
        return isNumber && (text.utf8.first != 48 || text == "0") ? Int(text) : nil
    }
}
