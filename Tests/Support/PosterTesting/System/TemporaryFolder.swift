import FoundationEssentials
import Glibc

/// A temporary folder, removed when this object is released.
public final class TemporaryFolder: Sendable {
    /// The absolute path.
    public let path: String

    /// Creates an empty folder.
    public init() {
        let url = FileManager.default.temporaryDirectory.appending(path: "onesheet-\(UUID().uuidString)")
        self.path = url.path
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            fatalError("no temporary folder: \(error)")
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: self.path)
    }

    /// The relative paths of all files in it, sorted.
    public var files: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: self.path)) ?? []).filter { name in
            (try? FileManager.default.attributesOfItem(atPath: "\(self.path)/\(name)")[.type] as? FileAttributeType)
                == .typeRegular
        }.sorted()
    }
}

/// A small tmpfs that can be full or read-only, unmounted when this object is released. Requires root.
public final class TemporaryFileSystem: Sendable {
    /// Whether this process may mount one.
    public static let isPossible = (try? TemporaryFileSystem(kibibytes: 64)) != nil

    /// The file system cannot be mounted.
    public struct Failure: Error, CustomStringConvertible {
        /// The system's error.
        public let description: String
    }

    private let folder = TemporaryFolder()

    /// Mounts a file system.
    /// - Throws: ``Failure`` if it cannot be mounted.
    public init(kibibytes: Int) throws {
        try Self.mount(on: self.folder.path, flags: 0, options: "size=\(kibibytes)k")
    }

    deinit {
        umount2(self.folder.path, Int32(MNT_DETACH))
    }

    /// The mount point.
    public var path: String { self.folder.path }

    /// Makes the file system read-only.
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
