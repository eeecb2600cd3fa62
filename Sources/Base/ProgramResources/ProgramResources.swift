import FoundationEssentials

/// The folder of the files that belong to the program: beside it as the build leaves them, else `PREFIX/share/onesheet`, where
/// `make install` puts them.
package struct ProgramResources: Sendable {
    /// The files are in none of the folders.
    package struct Missing: Error, CustomStringConvertible {
        /// What the files are, such as `the embedded catalogue`.
        let subject: String
        package let searched: [String]

        /// A sentence that says what to do.
        package var description: String {
            "\(self.subject) is missing; it should be in \(self.searched.joined(separator: " or ")): "
                + "build again, or keep the .resources folder beside the program"
        }
    }

    /// An absolute path without a slash at its end.
    package let folder: String

    /// - Parameters:
    ///   - target: The target of the package that has the files.
    ///   - file: One of them, by which a folder is recognised.
    ///   - subject: What they are, for messages.
    ///   - program: The path of the program; nil for the one that is running.
    /// - Throws: ``Missing``.
    package init(of target: String, with file: String, subject: String, program: String? = nil) throws(Missing) {
        let program =
            program ?? (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
        let folder = program.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let candidates = ["\(folder)/OneSheet_\(target).resources", folder + "/../share/onesheet"]
        guard let found = candidates.first(where: { FileManager.default.fileExists(atPath: "\($0)/\(file)") }) else {
            throw Missing(subject: subject, searched: candidates)
        }
        self.folder = found
    }
}
