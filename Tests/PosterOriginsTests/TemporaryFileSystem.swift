import Glibc
import PosterTesting

@testable import PosterOrigins

/// A small file system in memory, gone with this object: one that can really be full, or read only.
final class TemporaryFileSystem: Sendable {
    /// Whether this process may mount one.
    static let isPossible: Bool = {
        let folder = TemporaryFolder()
        return withExtendedLifetime(folder) {
            mount("tmpfs", folder.path, "tmpfs", 0, "size=64k") == 0 && umount2(folder.path, Int32(MNT_DETACH)) == 0
        }
    }()

    private let folder = TemporaryFolder()

    init(kibibytes: Int) throws {
        guard mount("tmpfs", self.folder.path, "tmpfs", 0, "size=\(kibibytes)k") == 0 else {
            throw FileError("mount", self.folder.path)
        }
    }

    deinit {
        umount2(self.folder.path, Int32(MNT_DETACH))
    }

    /// Where it is mounted.
    var path: String { self.folder.path }

    func makeReadOnly() throws {
        let flags = UInt(MS_REMOUNT | MS_RDONLY)
        guard mount(nil, self.path, nil, flags, nil) == 0 else { throw FileError("mount", self.path) }
    }
}
