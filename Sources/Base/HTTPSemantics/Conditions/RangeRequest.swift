package import HTTPTypes

/// A `Range` header with its `If-Range` (RFC 9110, 14.2 and 13.1.5), as far as it is answered in parts: one range of
/// bytes.
package struct RangeRequest: Sendable {
    package enum Outcome: Hashable, Sendable {
        /// Nothing, or nothing that is answered in parts: several ranges, another unit, malformed.
        case whole
        /// These bytes.
        case part(Range<Int>)
        /// There are no such bytes.
        case unsatisfiable
    }

    private let range: String?
    private let condition: String?

    /// - Parameter method: For all but `GET`, the header means nothing.
    package init(_ fields: HTTPFields, method: HTTPRequest.Method) {
        self.range = method == .get ? fields[.range] : nil
        self.condition = fields[.ifRange]
    }

    /// - Parameters:
    ///   - length: Of all, in bytes.
    ///   - tag: Of all.
    ///   - modifiedAt: When these very bytes became what they are, in seconds since 1970; nil where it is not known to
    ///     the second: then no date is good enough to put parts together by.
    package func outcome(length: Int, tag: EntityTag, modifiedAt: Int64?) -> Outcome {
        guard let range else { return .whole }
        if let condition {
            let text = condition.trimmingBlanks
            // A weak tag never matches here.
            let isSame =
                text.hasPrefix("\"")
                ? text == tag.description : modifiedAt != nil && HTTPDate.seconds(String(text)) == modifiedAt
            guard isSame else { return .whole }
        }
        return Self.outcome(of: range, length: length)
    }

    private static func outcome(of value: String, length: Int) -> Outcome {
        let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
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

    /// Digits only; what is too large for a number is behind every end.
    private static func position(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text) ?? .max
    }
}
