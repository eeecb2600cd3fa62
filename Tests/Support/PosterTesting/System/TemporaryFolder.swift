import FoundationEssentials

/// A folder of a test's own, gone with this object.
public final class TemporaryFolder: Sendable {
    /// Absolute.
    public let path: String

    /// Makes an empty folder.
    public init() {
        let url = FileManager.default.temporaryDirectory.appending(path: "onesheet-\(UUID().uuidString)")
        self.path = url.path
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            fatalError("no temporary folder: \(error)")
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: self.path)
    }

    /// The names of all files below, sorted.
    public var files: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: self.path)) ?? []).filter { name in
            (try? FileManager.default.attributesOfItem(atPath: "\(self.path)/\(name)")[.type] as? FileAttributeType)
                == .typeRegular
        }.sorted()
    }
}
