import Foundation

/// Locates the worker executable that simulates the faults named in originals. Tests that use it depend on its target.
package enum FaultyWorkerProgram {
    /// Path of the executable.
    package static let path = BuiltProgram.path("FaultyCodecWorker")
}

/// Locates executables that are built beside the tests. Tests that use one depend on its target.
package enum BuiltProgram {
    /// Path of an executable; its name if it is not found.
    package static func path(_ name: String) -> String {
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        // Tests run in their own executable or in swift-testing's helper, which receives their path as an argument.
        let arguments = CommandLine.arguments.map { URL(filePath: $0) }
        let folders = ([own] + arguments).flatMap { url in
            sequence(first: url.deletingLastPathComponent()) { folder in
                folder.path == "/" ? nil : folder.deletingLastPathComponent()
            }
        }
        let found = folders.map { $0.appending(path: name).path }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        return found ?? name
    }
}
