import Glibc

/// The sockets that the process was started with, as systemd hands them over (sd_listen_fds(3)).
public struct InheritedSockets: Hashable, Sendable {
    /// The first descriptor.
    static let firstDescriptor: Int32 = 3
    /// More than this is a mistake of whoever configured it.
    static let countLimit = 64

    /// One of them.
    public struct Entry: Hashable, Sendable {
        /// Its number in the process.
        public let descriptor: Int32
        /// Of `FileDescriptorName=` in the socket's unit.
        public let name: String
    }

    /// In the order in which they were given; empty when there are none.
    public let entries: [Entry]

    /// - Parameters:
    ///   - environment: With `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES`, if they are meant for this process.
    ///   - processID: Of this process.
    /// - Throws: ``ListeningFailure`` for variables that make no sense.
    public init(environment: [String: String], processID: Int32) throws(ListeningFailure) {
        guard let owner = environment["LISTEN_PID"], let countText = environment["LISTEN_FDS"],
            owner == "\(processID)"
        else {
            self.entries = []  // there are none, or they are another's
            return
        }
        guard let count = Int(countText), (0...Self.countLimit).contains(count) else {
            throw ListeningFailure("LISTEN_FDS is '\(countText)'; allowed: 0 to \(Self.countLimit)")
        }
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false)
        self.entries = (0..<count).map { index in
            let name = names.flatMap { index < $0.count ? String($0[index]) : nil }
            return Entry(descriptor: Self.firstDescriptor + Int32(index), name: name ?? "unknown")
        }
    }

    /// Makes sure that they can be listened at, and that no child process gets them.
    ///
    /// - Throws: ``ListeningFailure`` that names the one that cannot.
    public func claim() throws(ListeningFailure) {
        for entry in self.entries {
            let descriptor = entry.descriptor
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
                throw .system("the inherited socket \(entry.name) (\(descriptor)) cannot be used", errno)
            }
            guard Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
                Self.option(SO_ACCEPTCONN, of: descriptor) == 1
            else {
                throw ListeningFailure(
                    "the inherited descriptor \(entry.name) (\(descriptor)) is no stream socket that listens: "
                        + "use ListenStream= and Accept=no")
            }
        }
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var (value, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}
