import Foundation
import Testing

/// Names in the Markdown files refer to existing links, source files and test suites.
struct DocumentationTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Paths of all files below Sources, Tests and Benchmarks, and Package.swift, relative to the package.
    private static let sources: Set<String> = {
        let folders = ["Sources", "Tests", "Benchmarks"]
        return Set(
            ["Package.swift"]
                + folders.flatMap { folder in
                    let paths = FileManager.default.enumerator(atPath: Self.package.appending(path: folder).path)
                    return (paths?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }
                })
    }()

    static let pages: [String] = {
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: Self.package.appending(path: "docs").path)) ?? []
        return ["README.md", "CHANGELOG.md", "Benchmarks/README.md"]
            + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }()

    @Test(arguments: pages) func linksLeadToFiles(_ page: String) throws {
        let url = Self.package.appending(path: page)
        let text = try String(contentsOf: url, encoding: .utf8)
        for link in text.matches(of: /\]\(([^)\s#]+)[^)\s]*\)/) {
            guard !link.1.contains("://") else { continue }
            let file = url.deletingLastPathComponent().appending(path: String(link.1)).standardizedFileURL.path
            #expect(FileManager.default.fileExists(atPath: file), "\(page): \(link.1)")
        }
    }

    /// A file may be named by a suffix of its path, such as `PosterCodec/Encode/JPEGEncoder.swift`.
    @Test(arguments: pages) func namedSourceFilesExist(_ page: String) throws {
        let text = try String(contentsOf: Self.package.appending(path: page), encoding: .utf8)
        for name in text.matches(of: /`([\w\/+-]+\.swift)`/) {
            let isThere = Self.sources.contains { $0 == name.1 || $0.hasSuffix("/\(name.1)") }
            #expect(isThere, "\(page): \(name.1)")
        }
        for name in text.matches(of: /`((?:Sources|Tests|Benchmarks|deploy)\/[\w\/.+-]+)`/) {
            let path = Self.package.appending(path: String(name.1)).path
            #expect(FileManager.default.fileExists(atPath: path), "\(page): \(name.1)")
        }
    }

    @Test(arguments: pages) func namedTestSuitesExist(_ page: String) throws {
        let text = try String(contentsOf: Self.package.appending(path: page), encoding: .utf8)
        for name in text.matches(of: /\b[A-Z]\w*Tests\b/) {
            let isThere = Self.sources.contains { $0.hasSuffix("/\(name.0).swift") || $0.hasSuffix("/\(name.0)") }
            #expect(isThere, "\(page): \(name.0)")
        }
    }
}
