import FoundationEssentials

/// Recorded answers of upstreams, kept outside the repository: `../shared/upstream` beside its root.
public struct UpstreamSamples: Sendable {
    /// The folder with a folder per upstream.
    public let path: String

    /// The folder beside the repository.
    ///
    /// - Parameter file: Of the test, in `Tests/…/` of the repository.
    /// - Returns: nil when the folder is not there.
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

    /// A file such as `tmdb/movie_details.json`.
    public func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(self.path)/\(name)")))
    }
}
