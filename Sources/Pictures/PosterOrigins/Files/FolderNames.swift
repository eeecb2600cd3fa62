import Glibc

/// Lists folders.
package enum FolderNames {
    /// All names in a folder except `.` and `..`, in no particular order; none if the folder is missing.
    package static func read(_ path: String) throws(FileError) -> [String] {
        guard let folder = opendir(path) else {
            guard errno == ENOENT else { throw FileError("open", path) }
            return []
        }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw FileError("read", path) }
        return names
    }
}
