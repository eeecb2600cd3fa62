/// Where originals are decoded.
public enum Isolation: String, Sendable, CaseIterable {
    /// In worker processes, confined by all means that the kernel offers.
    case process
    /// On threads of this process.
    case thread
    /// In worker processes with all ``IsolationFeatures``; the service does not start without them.
    case required
}

/// The means that confine the workers.
public struct IsolationFeatures: Hashable, Sendable {
    /// Whether a filter allows only the system calls that decoding needs.
    public let hasSeccomp: Bool
    /// The version of Landlock, which denies access to files and the network; 0 without it.
    public let landlockVersion: Int
    /// Whether programs executed by a worker are denied additional privileges.
    public let hasNoNewPrivileges: Bool

    /// Names of the missing features; empty if the kernel has all.
    public var missing: [String] {
        [
            self.hasSeccomp ? nil : "seccomp", self.landlockVersion > 0 ? nil : "Landlock",
            self.hasNoNewPrivileges ? nil : "no_new_privs",
        ].compactMap(\.self)
    }
}

/// Workers cannot be started, or are not confined as required.
public struct IsolationFailure: Error, Hashable, CustomStringConvertible {
    /// The reason as a clause.
    public let description: String
    /// Whether the cause is a temporary lack of descriptors, processes or memory.
    public var isTransient = false
}
