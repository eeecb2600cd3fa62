import FoundationEssentials

enum PictureFiles {
    /// The folder of the embedded posters, relative to the repository's root.
    static let posters = "Sources/Movies/EmbeddedCatalogue/Resources/originals"

    /// Returns the pictures in all folders below it, sorted, so that each run has the same order.
    ///
    /// - Throws: ``BenchError`` if there are none.
    static func below(_ folder: String) throws(BenchError) -> [String] {
        guard let paths = try? FileManager.default.subpathsOfDirectory(atPath: folder) else {
            throw BenchError("there is no folder \(folder)")
        }
        let files = paths.filter { path in
            let path = path.lowercased()
            return [".jpg", ".jpeg", ".png", ".webp", ".avif", ".gif"].contains { path.hasSuffix($0) }
        }
        guard !files.isEmpty else { throw BenchError("there is no JPEG, PNG, WebP, AVIF or GIF below \(folder)") }
        return files.sorted().map { "\(folder)/\($0)" }
    }
}
