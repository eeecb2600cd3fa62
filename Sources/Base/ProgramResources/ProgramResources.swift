import FoundationEssentials

/// The folder of the program's resource files: beside the program, where the build leaves them, else
/// `PREFIX/share/onesheet/Resources`, where `make install` puts them.
package struct ProgramResources: Sendable {
    package struct Missing: Error, CustomStringConvertible {
        /// A noun phrase for messages, such as `the embedded catalogue`.
        let subject: String
        package let searched: [String]

        package var description: String {
            "\(self.subject) is missing; it should be in \(self.searched.joined(separator: " or ")): "
                + "build again, or keep the .resources folder beside the program"
        }
    }

    /// An absolute path without a trailing slash.
    package let folder: String

    /// - Parameters:
    ///   - target: The package target that has the files.
    ///   - file: One of the files, which identifies the folder.
    ///   - subject: A noun phrase for messages.
    ///   - program: The path of the program; `nil` for the running one.
    package init(of target: String, with file: String, subject: String, program: String? = nil) throws(Missing) {
        let program =
            program ?? (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "."
        let folder = program.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let candidates = ["\(folder)/OneSheet_\(target).resources/Resources", folder + "/../share/onesheet/Resources"]
        guard let found = candidates.first(where: { FileManager.default.fileExists(atPath: "\($0)/\(file)") }) else {
            throw Missing(subject: subject, searched: candidates)
        }
        self.folder = found
    }
}
