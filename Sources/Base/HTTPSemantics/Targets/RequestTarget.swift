/// The path and query of a request, split and decoded exactly once.
package struct RequestTarget: Sendable {
    /// Visible ASCII: other bytes are percent-encoded, as clients should have done (RFC 3986, 2).
    package let text: String
    /// The path, still percent-encoded; empty if the target has neither form.
    package let path: Substring
    /// The path's segments, still percent-encoded; empty segments are dropped below ``tolerantPaths``.
    package let segments: [Substring]
    private let query: Substring?

    /// - Parameter target: In origin form (RFC 9112, 3.2.1), such as `/poster/x?w=368`, or in absolute form (3.2.2).
    package init(_ target: String) {
        let target = PercentEncoding.visible(target.utf8)
        self.text = target
        var rest = target[...]
        if !rest.utf8.starts(with: "/".utf8) { rest = Self.withoutAuthority(rest) }
        rest = rest.utf8.firstIndex(of: UInt8(ascii: "#")).map { rest[..<$0] } ?? rest
        let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
        self.path = rest[..<(mark ?? rest.endIndex)]
        self.segments = Self.segments(of: self.path)
        self.query = mark.map { rest[rest.utf8.index(after: $0)...] }
    }

    /// The first segments of paths in other services' formats. Clients of those services send duplicate and trailing
    /// slashes, which the services ignore.
    private static let tolerantPaths: [[Substring]] = [["t", "p"], ["compat"]]

    private static func segments(of path: Substring) -> [Substring] {
        let all = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
            .map(Substring.init)
        guard all.contains(where: \.isEmpty) else { return all }
        let named = all.filter { !$0.isEmpty }
        return Self.tolerantPaths.contains { named.starts(with: $0) } ? named : all
    }

    /// The path and query of an HTTP URL; empty for any other text.
    private static func withoutAuthority(_ target: Substring) -> Substring {
        let lowercased = Substring(target.utf8.prefix(8)).lowercased()
        guard let scheme = ["http://", "https://"].first(where: lowercased.hasPrefix) else { return "" }
        let rest = target.utf8.dropFirst(scheme.utf8.count)
        guard let end = rest.firstIndex(where: "/?#".utf8.contains) else { return "/" }
        return rest[end] == UInt8(ascii: "/") ? target[end...] : "/" + target[end...]
    }

    /// Returns the decoded parameters in their order.
    ///
    /// - Parameter plusIsSpace: Decodes `+` as a space, as HTML forms encode it (URL Standard, 5.1): many clients send
    ///   text typed by people in this form. Leave it false for URLs in parameters, which keep their plus.
    /// - Throws: ``Problem`` for malformed percent-encoding, also of texts with too many combining marks.
    package func parameters(plusIsSpace: Bool = false) throws(Problem) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        for pair in (self.query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { part in
                    plusIsSpace ? String(Substring(part)).replacing("+", with: " ")[...] : Substring(part)
                }
            guard let name = PercentEncoding.decode(parts[0]),
                let value = parts.count > 1 ? PercentEncoding.decode(parts[1]) : ""
            else {
                throw Problem(.invalidParameter, "the query holds \(PercentEncoding.refusedTexts)")
            }
            parameters.append((name, value))
        }
        return parameters
    }
}

/// The decoded parameters of a query; each occurs at most once.
package struct QueryParameters {
    private var values: [String: String] = [:]

    /// - Parameters:
    ///   - pairs: Decoded names and values.
    ///   - known: The names that the resource accepts.
    ///   - names: The accepted names as written in error texts.
    /// - Throws: ``Problem`` that names the unknown or repeated parameter.
    package init(_ pairs: [(name: String, value: String)], known: [String], names: String) throws(Problem) {
        for (name, value) in pairs {
            guard known.contains(name) else {
                throw Problem(
                    .invalidParameter, "'\(name.prefix(64))' is not a parameter of this resource; it takes \(names)")
            }
            guard self.values.updateValue(value, forKey: name) == nil else {
                throw Problem(
                    .invalidParameter, "\(name) is given more than once",
                    parameter: Problem.Parameter(name, .repetition))
            }
        }
    }

    package func hasOthers(than names: Set<String>) -> Bool {
        self.values.keys.contains { !names.contains($0) }
    }

    package subscript(name: String) -> String? { self.values[name] }

    /// - Parameter accepted: The values that `parse` accepts, as written in error texts.
    /// - Returns: `nil` if the parameter is absent.
    package func value<Value>(_ name: String, accepted: String, _ parse: (String) -> Value?) throws(Problem) -> Value? {
        guard let text = self.values[name] else { return nil }
        guard let value = parse(text) else {
            throw Problem(
                .invalidParameter, "\(name) must be \(accepted)", parameter: Problem.Parameter(name))
        }
        return value
    }

    /// The case with the parameter's value as its raw value; `nil` if the parameter is absent.
    package func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        let all = Choice.allCases.map(\.rawValue)
        let accepted = all.dropLast().joined(separator: ", ") + " or " + (all.last ?? "")
        return try self.value(name, accepted: accepted) { Choice(rawValue: $0) }
    }

    /// Parses decimal digits without a sign or leading zeros: each number has one spelling, and a picture one cache
    /// entry.
    package static func number(_ text: String) -> Int? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
        return isNumber && (text.utf8.first != 48 || text == "0") ? Int(text) : nil
    }
}
