/// An `If-None-Match` header (RFC 9110, 13.1.2): a list of entity tags, weak or strong, or `*`.
package struct IfNoneMatch: Sendable {
    private let value: String?

    /// - Parameter value: The header's lines joined by commas; nil without one.
    package init(_ value: String?) {
        self.value = value
    }

    /// Whether there is one.
    package var isGiven: Bool { self.value != nil }

    /// Whether the client holds what `tag` names. Compared weakly, as the RFC wants it here.
    package func matches(_ tag: EntityTag) -> Bool {
        guard let value else { return false }
        return value.split(separator: ",").contains { item in
            let item = item.trimmingBlanks
            return item == "*" || item == tag.description
                || item.hasPrefix("W/") && item.dropFirst(2) == tag.description
        }
    }
}
