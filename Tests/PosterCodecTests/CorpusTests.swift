import FoundationEssentials
import Testing

@testable import PosterCodec

/// Real and hostile files outside the repository: `../shared/corpus` beside its root.
enum Corpus {
    static let root: String = {
        // The sources of a sanitized build are links.
        let parts = URL(filePath: #filePath).resolvingSymlinksInPath().path.split(separator: "/").dropLast(3)
        return "/" + parts.joined(separator: "/") + "/../shared/corpus"
    }()

    /// Folders of files, relative to ``root``; empty without a corpus.
    static let folders: [String] = ["conformance", "hostile", "posters"].flatMap { part in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/\(part)")) ?? []
        return names.sorted().map { "\(part)/\($0)" }.filter { !Self.files(in: $0).isEmpty }
    }

    static func files(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/\(folder)")) ?? []
        return names.sorted().map { "\(folder)/\($0)" }.filter { path in
            var isFolder = false
            return FileManager.default.fileExists(atPath: "\(Self.root)/\(path)", isDirectory: &isFolder) && !isFolder
        }
    }

    static func bytes(of path: String) throws -> [UInt8] {
        let full = "\(Self.root)/\(path)"
        // Foundation leaks 4096 bytes when it reads an empty file.
        let attributes = try FileManager.default.attributesOfItem(atPath: full)
        guard let size = attributes[.size] as? Int, size > 0 else { return [] }
        return Array(try Data(contentsOf: URL(filePath: full)))
    }
}

@Suite(.computingThread, .enabled(if: !Corpus.folders.isEmpty, "there is no corpus beside the repository"))
struct CorpusTests {
    @Test("a file of the corpus gives a picture of the right size or throws", arguments: Corpus.folders)
    func survives(folder: String) throws {
        for path in Corpus.files(in: folder) {
            let bytes = try Corpus.bytes(of: path)
            Mutations.check(bytes, width: 64, format: .jpeg, limits: .init(), comment: "\(path)")
        }
    }

    @Test(
        "whole JPEGs of the usual kinds give a picture",
        arguments: Corpus.folders.filter { folder in
            ["jpeg-baseline", "jpeg-progressive", "jpeg-subsampling", "jpeg-gray", "jpeg-restart", "exif-orientation"]
                .contains { folder.hasSuffix($0) }
        })
    func decodes(folder: String) throws {
        for path in Corpus.files(in: folder) {
            let bytes = try Corpus.bytes(of: path)
            guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { continue }
            // One of them has RGB components.
            guard try bytes.header().colourModel != .rgb else { continue }
            #expect(throws: Never.self, "\(path)") { try bytes.rendered(width: 64, format: .webp) }
        }
    }
}
