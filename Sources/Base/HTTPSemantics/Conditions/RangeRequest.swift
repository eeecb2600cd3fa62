package import HTTPTypes

/// A `Range` header with its `If-Range` (RFC 9110, 14.2 and 13.1.5). Supports a single range of bytes.
package struct RangeRequest: Sendable {
    package enum Outcome: Hashable, Sendable {
        /// The whole representation: the header is absent, malformed, or has several ranges or another unit.
        case whole
        /// A range of bytes (206).
        case part(Range<Int>)
        /// The range lies beyond the end (416).
        case unsatisfiable
    }

    private let range: String?
    private let condition: String?

    /// - Parameter method: The header is ignored unless this is `GET`.
    package init(_ fields: HTTPFields, method: HTTPRequest.Method) {
        self.range = method == .get ? fields[.range] : nil
        self.condition = fields[.ifRange]
    }

    /// - Parameters:
    ///   - length: The representation's length in bytes.
    ///   - tag: The representation's tag.
    ///   - modifiedAt: When the representation got these bytes, in seconds since 1970; `nil` if that is not known to
    ///     the second: a date is then too weak a validator to combine parts by.
    package func outcome(length: Int, tag: EntityTag, modifiedAt: Int64?) -> Outcome {
        guard let range else { return .whole }
        if let condition {
            let text = condition.trimmingBlanks
            // A weak tag never matches `If-Range`.
            let isSame =
                text.utf8.first == UInt8(ascii: "\"")
                ? text.utf8.elementsEqual(tag.description.utf8)
                : modifiedAt != nil && HTTPDate.seconds(String(text)) == modifiedAt
            guard isSame else { return .whole }
        }
        return Self.outcome(of: range, length: length)
    }

    private static func outcome(of value: String, length: Int) -> Outcome {
        let parts = FieldSyntax.parts(of: value, at: "=", maxSplits: 1, omittingEmpty: false)
        guard parts.count == 2, parts[0].trimmingBlanks.lowercased() == "bytes" else { return .whole }
        let ranges = parts[1].split(separator: ",").map(\.trimmingBlanks).filter { !$0.isEmpty }
        guard ranges.count == 1 else { return .whole }
        let ends = ranges[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return .whole }
        switch (Self.position(ends[0]), Self.position(ends[1])) {
        case (let first?, let last?):
            guard first <= last else { return .whole }
            return first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            return first < length ? .part(first..<length) : .unsatisfiable
        case (nil, let count?) where ends[0].isEmpty:
            return count > 0 && length > 0 ? .part(max(0, length - count)..<length) : .unsatisfiable
        default: return .whole
        }
    }

    /// Parses decimal digits; a number that overflows becomes `Int.max`.
    private static func position(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text) ?? .max
    }
}
