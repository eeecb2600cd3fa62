import FoundationEssentials
import Glibc

/// A temporary folder, removed with this object.
public final class TemporaryFolder: Sendable {
    /// Absolute.
    public let path: String

    /// Makes an empty folder.
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

    /// The names of all files below, sorted.
    public var files: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: self.path)) ?? []).filter { name in
            (try? FileManager.default.attributesOfItem(atPath: "\(self.path)/\(name)")[.type] as? FileAttributeType)
                == .typeRegular
        }.sorted()
    }
}

/// A small tmpfs, unmounted with this object, that can be full or read-only. Requires root.
public final class TemporaryFileSystem: Sendable {
    /// Whether this process may mount one.
    public static let isPossible = (try? TemporaryFileSystem(kibibytes: 64)) != nil

    /// The file system cannot be mounted.
    public struct Failure: Error, CustomStringConvertible {
        /// The system's error.
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
