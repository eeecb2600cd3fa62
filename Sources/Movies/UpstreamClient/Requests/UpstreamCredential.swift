/// How an upstream is told our key.
///
/// Printing one does not show the key.
public enum UpstreamCredential: Sendable {
    /// As a parameter of the query.
    case query(name: String, value: String)
    /// As a header, such as `Authorization`.
    case header(name: String, value: String)
}

extension UpstreamCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where it is sent.
    public var description: String {
        switch self {
        case .query(let name, _): "a key in the parameter \(name)"
        case .header(let name, _): "a key in the header \(name)"
        }
    }

    /// As ``description``.
    public var debugDescription: String { self.description }
    /// Without members: `dump` and the like would show them.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
