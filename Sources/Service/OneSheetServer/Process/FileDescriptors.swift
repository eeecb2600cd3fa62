import Glibc

/// How many files and sockets the process may have open.
struct DescriptorLimit: Equatable {
    /// Descriptors that connections leave for fetches, the library, standard streams, and connections that are accepted
    /// above the limit.
    static let reserve = 320
    /// Accepted however low the limit of descriptors is.
    static let leastConnections = 16

    let initial: Int
    let current: Int

    /// Raises the limit as far as a process may raise it by itself; it stays as it was where that fails.
    static func raise() -> DescriptorLimit {
        var limit = rlimit()
        // Cannot fail: the resource is known and the structure is there. Were it to, POSIX promises 20.
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return DescriptorLimit(initial: 20, current: 20)
        }
        let initial = Int(clamping: limit.rlim_cur)
        limit.rlim_cur = limit.rlim_max
        let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return DescriptorLimit(initial: initial, current: isRaised ? Int(clamping: limit.rlim_max) : initial)
    }

    /// Originals that may be open at once: at most a quarter of all descriptors.
    func originals(wanted: Int) -> Int {
        min(wanted, self.current / 4)
    }

    /// Connections to accept at once: what fits beside the reserve, but at least ``leastConnections`` or `wanted`.
    func connections(wanted: Int, reserve: Int = DescriptorLimit.reserve) -> Int {
        min(wanted, max(Self.leastConnections, self.current - reserve))
    }
}

package enum StandardDescriptors {
    /// Opens those that the process was started without, onto nothing: else a socket or a file of ours would get their numbers,
    /// and what is written to standard output or error.
    package static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The lowest free descriptor, which is this one. A failure could not be reported anywhere.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
