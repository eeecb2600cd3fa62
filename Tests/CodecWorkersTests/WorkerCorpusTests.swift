import Foundation
import PosterCodec
import Testing

@testable import CodecWorkers

/// Real and hostile files outside the repository: in `../shared/corpus` beside its root.
private enum Corpus {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/corpus")

    static var isThere: Bool { FileManager.default.fileExists(atPath: Self.folder.path) }
}

@Suite(.ownThread, .timeLimit(.minutes(10)), .enabled(if: Corpus.isThere, "there is no ../shared/corpus"))
struct WorkerCorpusTests {
    private static func files(_ name: String) -> [URL] {
        let below = FileManager.default.enumerator(
            at: Corpus.folder.appending(path: name), includingPropertiesForKeys: nil)
        let urls = below?.compactMap { $0 as? URL } ?? []
        return urls.filter { !$0.hasDirectoryPath }.sorted { $0.path < $1.path }
    }

    private enum Outcome: Equatable {
        case file([UInt8])
        case failed(CodecError)

        init(_ body: () throws -> [UInt8]) throws {
            do { self = .file(try body()) } catch let error as CodecError { self = .failed(error) }
        }
    }

    @Test(arguments: ["conformance", "hostile", "posters"])
    func everyFileHasTheSameResultAsOnAThread(_ name: String) throws {
        let pool = try WorkerFixture.pool()
        // Every tenth file, or all with ONESHEET_CORPUS=all, because debug builds decode slowly.
        let step = ProcessInfo.processInfo.environment["ONESHEET_CORPUS"] == "all" ? 1 : 10
        let files = Self.files(name).enumerated().filter { $0.offset % step == 0 }.map(\.element)
        try #require(!files.isEmpty)
        var limits = CodecLimits()
        // Also because debug builds decode slowly.
        limits.maxCPUNanoseconds = 120_000_000_000
        var rendered = 0
        for url in files {
            let bytes = [UInt8](try Data(contentsOf: url))
            // A file that is rejected by its header reaches no worker.
            guard let header = try? inspect(bytes.span.bytes, limits: .init()),
                let plan = try? RenderPlan(header, target: RenderTarget(width: 92, format: .jpeg))
            else { continue }
            let job = RenderJob(
                source: header, byteCount: bytes.count,
                targets: [RenderJob.Target(RenderTarget(width: 92, format: .jpeg))], scale: plan.scale)
            let expected = try Outcome {
                let control = JobControl(targetCount: 1)
                let decoded = try decodeJob(bytes.span.bytes, job: job, control: control)
                return try WorkerFixture.files(of: decoded, 1, control)[0]
            }
            let outcome = try Outcome {
                let control = JobControl(targetCount: 1)
                let decoded = try bytes.withUnsafeBytes { bytes in
                    try pool.decode(.memory(bytes), job: job, limits: limits, control: control)
                }
                return try WorkerFixture.files(of: decoded, 1, control)[0]
            }
            #expect(
                outcome == expected, "\(url.lastPathComponent): \(Self.words(outcome)), not \(Self.words(expected))")
            if case .file = outcome { rendered += 1 }
        }
        #expect(rendered > 0)
        #expect(pool.counters.failures == 0)
    }

    private static func words(_ outcome: Outcome) -> String {
        switch outcome {
        case .file(let bytes): "\(bytes.count) bytes"
        case .failed(let error): "\(error)"
        }
    }
}
