import Glibc

/// Where variants are: `variants/ab/NAME.variant`, by the first digits of their names, and in `variants/incoming` while they are
/// written.
struct VariantFileLayout: Sendable {
    /// The folder of all.
    let path: String
    /// Prefix of the names of files that this process writes; files with another one are an earlier process's.
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

    /// Checks that every folder that is there can be listed and written to.
    /// - Throws: ``FileError`` about the first that cannot.
    func checkAccess() throws(FileError) {
        let folders = (UInt8.min...UInt8.max).map(self.folder).filter { access($0, F_OK) == 0 }
        for path in [self.path, self.incoming] + folders {
            guard let folder = opendir(path) else { throw FileError("list", path) }
            closedir(folder)
            guard access(path, W_OK | X_OK) == 0 else { throw FileError("write to", path) }
        }
    }

    /// Files that an earlier process was writing when it ended.
    func leftovers() throws(FileError) -> [String] {
        try FolderNames.read(self.incoming).filter { !$0.hasPrefix(self.token + "-") }.map { "\(self.incoming)/\($0)" }
    }

    /// What is named as a variant in a folder, and what of it is none of this format or belongs to another folder.
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

    /// Gives a finished file its name.
    func place(_ temporary: String, as name: VariantFileName) throws(FileError) {
        let folder = self.folder(name.folder)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw FileError("create", folder) }
        guard rename(temporary, self.path(of: name)) == 0 else { throw FileError("rename", temporary) }
    }

    /// Removes a file, if it is there.
    func remove(_ path: String) throws(FileError) {
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw FileError("remove", path) }
    }
}
