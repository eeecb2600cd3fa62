/// The number of processes and threads that the process's control groups allow together.
package enum TaskLimit {
    private static let file = "pids.max"

    /// The smallest limit of the groups and their ancestors, from `/proc` and `/sys` below `root`; `nil` without one.
    package static func current(root: String = "") -> Int? {
        let groups = MemoryLimit.groups(root, controller: "pids")
        return [
            groups.unified.flatMap { MemoryLimit.smallest(Self.file, in: $0, below: root + "/sys/fs/cgroup") },
            groups.own.flatMap { MemoryLimit.smallest(Self.file, in: $0, below: root + "/sys/fs/cgroup/pids") },
        ].compactMap(\.self).min()
    }
}
