import Glibc

/// The paths of variants: `variants/ab/NAME.variant`, by the first digits of their names, and `variants/incoming` while
/// they are written.
struct VariantFileLayout: Sendable {
    let path: String
    /// Prefix of this process's temporary files; files with other prefixes belong to earlier processes.
    private let token = String(UInt64.random(in: .min ... .max), radix: 16)

    init(path: String) {
        self.path = path
    }

    var incoming: String { self.path + "/incoming" }

    func temporary(_ number: UInt64) -> String { "\(self.incoming)/\(self.token)-\(number)" }

    func folder(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return "\(self.path)/\(digits.count < 2 ? "0" : "")\(digits)"
    }

    func path(of name: VariantFileName) -> String { "\(self.folder(name.folder))/\(name.text)" }

    /// Checks that every existing folder can be listed and written to.
    /// - Throws: ``FileError`` about the first that cannot.
    func checkAccess() throws(FileError) {
        let folders = (UInt8.min...UInt8.max).map(self.folder).filter { access($0, F_OK) == 0 }
        for path in [self.path, self.incoming] + folders {
            guard let folder = opendir(path) else { throw FileError("list", path) }
            closedir(folder)
            guard access(path, W_OK | X_OK) == 0 else { throw FileError("write to", path) }
        }
    }

    /// Incomplete files of earlier processes.
    func leftovers() throws(FileError) -> [String] {
        try FolderNames.read(self.incoming).filter { !$0.hasPrefix(self.token + "-") }.map { "\(self.incoming)/\($0)" }
    }

    /// The variants in a folder, and the paths of variants of another format or in the wrong folder.
    func names(in folder: UInt8) throws(FileError) -> (variants: [VariantFileName], others: [String]) {
        var variants: [VariantFileName] = []
        var others: [String] = []
        for text in try FolderNames.read(self.folder(folder)) where VariantFileName.isVariant(text) {
            if let name = VariantFileName(text), name.folder == folder {
                variants.append(name)
            } else {
                others.append("\(self.folder(folder))/\(text)")
            }
        }
        return (variants, others)
    }

    /// Renames a finished file to its final name.
    func place(_ temporary: String, as name: VariantFileName) throws(FileError) {
        let folder = self.folder(name.folder)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw FileError("create", folder) }
        guard rename(temporary, self.path(of: name)) == 0 else { throw FileError("rename", temporary) }
    }

    func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw FileError("remove", path) }
    }
}
