import Foundation

/// A worker that has the faults which originals name, for tests that depend on its target.
package enum FaultyWorkerProgram {
    /// The program, which is built beside the tests.
    package static let path: String = {
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        // Tests run either in an executable of their own or in swift-testing's helper, which gets their path.
        let arguments = CommandLine.arguments.map { URL(filePath: $0) }
        let folders = ([own] + arguments).flatMap { url in
            sequence(first: url.deletingLastPathComponent()) { folder in
                folder.path == "/" ? nil : folder.deletingLastPathComponent()
            }
        }
        let found = folders.map { $0.appending(path: "FaultyCodecWorker").path }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        return found ?? "FaultyCodecWorker"
    }()
}
