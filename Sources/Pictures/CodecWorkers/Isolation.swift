/// Where originals are decoded.
public enum Isolation: String, Sendable, CaseIterable {
    /// In worker processes, with what the kernel has to confine them.
    case process
    /// On threads of this process.
    case thread
    /// In worker processes that have everything of ``IsolationFeatures``; without it nothing starts.
    case required
}

/// What confines the workers.
public struct IsolationFeatures: Hashable, Sendable {
    /// Whether a filter allows only the system calls that decoding needs.
    public let hasSeccomp: Bool
    /// The version of Landlock, which takes files and the network away; 0 without.
    public let landlockVersion: Int
    /// Whether programs that a worker executes could gain privileges: never.
    public let hasNoNewPrivileges: Bool

    /// What the kernel lacks, for people; empty when nothing is missing.
    public var missing: [String] {
        [
            self.hasSeccomp ? nil : "seccomp", self.landlockVersion > 0 ? nil : "Landlock",
            self.hasNoNewPrivileges ? nil : "no_new_privs",
        ].compactMap(\.self)
    }
}

/// Workers cannot be started, or are not confined as it is required.
public struct IsolationFailure: Error, Hashable, CustomStringConvertible {
    /// The reason as a clause.
    public let description: String
    /// Whether there are only too few descriptors, processes, or too little memory at the moment.
    public var isTransient = false
}
