import Glibc

/// A small file system in memory, gone with this object: one that can really be full, or read only. Only root can have one.
public final class TemporaryFileSystem: Sendable {
    /// Whether this process may mount one.
    public static let isPossible = (try? TemporaryFileSystem(kibibytes: 64)) != nil

    /// Why there is none.
    public struct Failure: Error, CustomStringConvertible {
        /// What the system says.
        public let description: String
    }

    private let folder = TemporaryFolder()

    /// - Throws: ``Failure`` where it cannot be mounted.
    public init(kibibytes: Int) throws {
        try Self.mount(on: self.folder.path, flags: 0, options: "size=\(kibibytes)k")
    }

    deinit {
        umount2(self.folder.path, Int32(MNT_DETACH))
    }

    /// Where it is mounted.
    public var path: String { self.folder.path }

    /// Lets nothing be written from now on.
    ///
    /// - Throws: ``Failure``.
    public func makeReadOnly() throws {
        try Self.mount(on: self.path, flags: UInt(MS_REMOUNT | MS_RDONLY), options: nil)
    }

    private static func mount(on path: String, flags: UInt, options: String?) throws(Failure) {
        guard Glibc.mount("tmpfs", path, "tmpfs", flags, options) == 0 else {
            throw Failure(description: "a file system cannot be mounted: \(String(cString: strerror(errno)))")
        }
    }
}
