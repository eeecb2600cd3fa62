import FoundationEssentials

/// Recorded upstream responses, stored outside the repository: in `../shared/upstream` beside its root.
public struct UpstreamSamples: Sendable {
    /// The folder, which contains a folder per upstream.
    public let path: String

    /// Finds the folder beside the repository.
    ///
    /// - Parameter file: The test's file, in `Tests/…/` of the repository.
    /// - Returns: `nil` if the folder does not exist.
    public init?(beside file: String = #filePath) {
        var parts = file.split(separator: "/")
        while let last = parts.popLast(), last != "Tests" {}
        let path = "/" + parts.joined(separator: "/") + "/../shared/upstream"
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder else { return nil }
        self.path = path
    }

    /// The names of an upstream's files, sorted.
    public func names(of upstream: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(self.path)/\(upstream)").sorted()
    }

    /// Reads a file, such as `tmdb/movie_details.json`.
    public func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(self.path)/\(name)")))
    }
}
