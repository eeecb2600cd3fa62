/// How lines of logs are written.
public enum LogFormat: String, Hashable, Sendable, CaseIterable {
    /// `key=value` pairs, for people.
    case text
    /// An object a line (RFC 8259).
    case json
}
