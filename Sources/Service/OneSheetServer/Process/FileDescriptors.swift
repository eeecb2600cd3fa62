import Glibc

/// The number of files and sockets that the process may have open.
struct DescriptorLimit: Equatable {
    /// Descriptors not used for connections: for fetches, the library, standard streams, and connections accepted above
    /// the limit.
    static let reserve = 320
    /// Below this number of connections the server does not start: without free descriptors libdispatch, which opens
    /// `/proc/self/task` while its threads are busy, ends the process.
    static let leastConnections = 16

    /// The process may open too few files to serve.
    struct TooLow: Error, CustomStringConvertible {
        let description: String
    }

    let initial: Int
    let current: Int

    /// Raises the limit as far as an unprivileged process may; leaves it unchanged if that fails.
    static func raise() -> DescriptorLimit {
        var limit = rlimit()
        // Cannot fail: the resource and the pointer are valid. If it did, POSIX guarantees 20.
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return DescriptorLimit(initial: 20, current: 20)
        }
        let initial = Int(clamping: limit.rlim_cur)
        limit.rlim_cur = limit.rlim_max
        let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return DescriptorLimit(initial: initial, current: isRaised ? Int(clamping: limit.rlim_max) : initial)
    }

    /// The maximum number of originals open at once: at most a quarter of all descriptors.
    func originals(wanted: Int) -> Int {
        min(wanted, self.current / 4)
    }

    /// The number of connections to accept at once: `wanted`, or fewer if the reserve and the open originals leave fewer
    /// descriptors.
    /// - Throws: ``TooLow`` if they leave fewer than ``leastConnections``.
    func connections(wanted: Int, openOriginals: Int) throws(TooLow) -> Int {
        let left = self.current - Self.reserve - self.originals(wanted: openOriginals)
        guard left >= Self.leastConnections else {
            // The number with a quarter for originals.
            let least = (Self.reserve + Self.leastConnections) * 4 / 3
            throw TooLow(
                description: "The process may open \(self.current) files, which is too few: raise the hard limit "
                    + "(ulimit -Hn, LimitNOFILE= in a unit) to \(least) or more")
        }
        return min(wanted, left)
    }
}

package enum StandardDescriptors {
    /// Opens missing standard descriptors on /dev/null. Otherwise a socket or a file of the program would get one of
    /// their numbers, and receive text written to standard output or error.
    package static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The lowest free descriptor, which is this one. There is nowhere to report a failure.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
