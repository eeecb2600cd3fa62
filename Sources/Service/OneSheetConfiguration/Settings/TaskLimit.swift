/// The number of processes and threads that the process's control groups (version 2) allow together.
package enum TaskLimit {
    /// The smallest limit of the group and its ancestors, from `/proc` and `/sys` below `root`; `nil` without one.
    package static func current(root: String = "") -> Int? {
        MemoryLimit.groups(root).unified.flatMap {
            MemoryLimit.smallest("pids.max", in: $0, below: root + "/sys/fs/cgroup")
        }
    }
}
