package import HTTPSemantics

/// The parameters of a request for a picture, each at most once.
package struct QueryParameters {
    private var values: [String: String] = [:]

    /// - Parameters:
    ///   - pairs: Decoded.
    ///   - known: The names that there are.
    ///   - names: The same for people.
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

    /// Whether there is one beside these.
    func hasOthers(than names: Set<String>) -> Bool {
        self.values.keys.contains { !names.contains($0) }
    }

    package subscript(name: String) -> String? { self.values[name] }

    /// - Parameter accepted: What `parse` takes, for people.
    /// - Returns: nil when the parameter is not there.
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

    /// What the original's digest begins with.
    func version() throws(Problem) -> String? {
        let isHexadecimal = { (byte: UInt8) in (48...57).contains(byte) || (97...102).contains(byte) }
        return try self.value("v", accepted: "8 to 64 lower-case hexadecimal digits") { text in
            (8...64).contains(text.utf8.count) && text.utf8.allSatisfy(isHexadecimal) ? text : nil
        }
    }

    /// Digits only: Int would take "+368" as well. None is in vain: endless spellings of one number would be as many entries
    /// of one picture in the caches on the way.
    package static func number(_ text: String) -> Int? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
        return isNumber && (text.utf8.first != 48 || text == "0") ? Int(text) : nil
    }
}
