import Glibc

/// What is in a file that few may read.
package struct SecretFile {
    /// Why a file cannot be read, in the system's words.
    package struct Unreadable: Error {
        package let reason: String
    }

    /// nil when there is more than allowed.
    package let content: [UInt8]?
    /// Whether every user of the machine can read it: worth a warning.
    package let isPublic: Bool

    /// - Parameter limit: The most that is read, in bytes.
    package init(_ path: String, limit: Int) throws(Unreadable) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure() }
        defer { close(descriptor) }
        var content = [UInt8](repeating: 0, count: limit + 1)
        let count = read(descriptor, &content, content.count)
        guard count >= 0 else { throw Self.failure() }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure() }
        self.content = count <= limit ? Array(content[..<count]) : nil
        self.isPublic = status.st_mode & S_IROTH != 0
    }

    private static func failure() -> Unreadable {
        Unreadable(reason: String(cString: strerror(errno)))
    }
}
