import Cryptography
package import HTTPTypes

/// A strong entity tag (RFC 9110, 8.8.3): two responses with the same tag have the same bytes.
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The number of hexadecimal digits in a tag: 128 bits.
    private static let digitCount = 32
    private static let digits = Array("0123456789abcdef".utf8)

    /// The tag in quotation marks.
    public let description: String

    /// Creates a tag from 128 bits of SHA-256 over `parts`; only the last part may contain line feeds.
    public init(digestOf parts: [String]) {
        // The separator occurs in no part but the last, so different parts never join to the same text.
        let digest = SHA256.hash(data: parts.joined(separator: "\n").utf8)
        var digits: [UInt8] = []
        digits.reserveCapacity(Self.digitCount)
        for byte in digest.prefix(Self.digitCount / 2) {
            digits.append(Self.digits[Int(byte >> 4)])
            digits.append(Self.digits[Int(byte & 15)])
        }
        self.init(hexadecimal: String(decoding: digits, as: UTF8.self))
    }

    /// Creates a tag from the first 128 bits of a digest.
    public init(hexadecimal digest: String) {
        self.description = "\"\(digest.prefix(Self.digitCount))\""
    }
}

/// An `If-None-Match` header (RFC 9110, 13.1.2): a list of entity tags, weak or strong, or `*`.
package struct IfNoneMatch: Sendable {
    private let value: String?

    /// - Parameter value: The header's lines joined by commas; `nil` without the header.
    package init(_ value: String?) {
        self.value = value
    }

    package var isGiven: Bool { self.value != nil }

    /// Whether the list contains `tag`; uses the weak comparison that the RFC prescribes for this header.
    package func matches(_ tag: EntityTag) -> Bool {
        guard let value else { return false }
        // Most clients send the only tag that they hold; splitting takes as long as the rest of a response.
        if value.utf8.elementsEqual(tag.description.utf8) { return true }
        return FieldSyntax.parts(of: value, at: ",").contains { item in
            let item = item.trimmingBlanks
            return item == "*" || item == tag.description
                || item.hasPrefix("W/") && item.dropFirst(2) == tag.description
        }
    }
}

/// The conditions of a `GET` or `HEAD` (RFC 9110, 13.1), evaluated in the order of 13.2.2.
package struct Preconditions: Sendable {
    package enum Outcome: Hashable, Sendable {
        /// The request is answered as if it were unconditional.
        case met
        /// 304.
        case notModified
        /// 412.
        case failed
    }

    private let ifMatch: String?
    private let ifUnmodifiedSince: Int64?
    private let ifNoneMatch: IfNoneMatch
    private let ifModifiedSince: Int64?

    /// - Parameter ifNoneMatch: The header's lines joined by commas; `nil` without conditions.
    package init(ifNoneMatch: String?) {
        self.ifMatch = nil
        self.ifUnmodifiedSince = nil
        self.ifNoneMatch = IfNoneMatch(ifNoneMatch)
        self.ifModifiedSince = nil
    }

    package init(_ fields: HTTPFields) {
        self.ifMatch = fields.combined(.ifMatch)
        // Malformed dates are ignored (13.1.3, 13.1.4).
        self.ifUnmodifiedSince = fields[.ifUnmodifiedSince].flatMap(HTTPDate.seconds)
        self.ifNoneMatch = IfNoneMatch(fields.combined(.ifNoneMatch))
        self.ifModifiedSince = fields[.ifModifiedSince].flatMap(HTTPDate.seconds)
    }

    /// - Parameters:
    ///   - tag: The tag of the current representation.
    ///   - modifiedAt: Its `Last-Modified`, in seconds since 1970; `nil` ignores conditions by date.
    package func outcome(tag: EntityTag, modifiedAt: Int64?) -> Outcome {
        if let ifMatch {
            guard Self.matchesStrongly(ifMatch, tag) else { return .failed }
        } else if let ifUnmodifiedSince, let modifiedAt, modifiedAt > ifUnmodifiedSince {
            return .failed
        }
        if self.ifNoneMatch.isGiven { return self.ifNoneMatch.matches(tag) ? .notModified : .met }
        if let ifModifiedSince, let modifiedAt, modifiedAt <= ifModifiedSince { return .notModified }
        return .met
    }

    /// Whether a condition needs the representation's tag.
    package var areGiven: Bool { self.ifMatch != nil || self.ifNoneMatch.isGiven }

    /// Whether a tag that the representation may have decides that no body is sent. Always false with `If-Match`: the
    /// representation may have another tag, which the header lists.
    package func settles(_ tag: EntityTag) -> Bool {
        self.ifMatch == nil && self.outcome(tag: tag, modifiedAt: nil) != .met
    }

    private static func matchesStrongly(_ list: String, _ tag: EntityTag) -> Bool {
        FieldSyntax.parts(of: list, at: ",").contains { item in
            let item = item.trimmingBlanks
            return item == "*" || item == tag.description
        }
    }
}

extension HTTPFields {
    /// A header's lines joined by commas (RFC 9110, 5.3); `nil` without the header.
    package func combined(_ name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.isEmpty ? nil : values.joined(separator: ",")
    }
}
