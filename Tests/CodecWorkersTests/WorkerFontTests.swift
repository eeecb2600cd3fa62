import CodecTesting
import Foundation
import Glibc
import PosterCodec
import Testing

@testable import CodecWorkers

@Suite struct WorkerFontTests {
    private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"

    @Test func workersStartWithoutAFontFileThatWasRemoved() throws {
        let pool = try WorkerFixture.pool { pool in
            pool.fonts.files = ["/removed/since/the/start.ttf", Self.font, "it is \"no\" file"]
        }
        defer { pool.close() }
        let picture = try WorkerFixture.jpeg()
        let targets = [RenderTarget(width: 92, format: .jpeg)]
        let files = try WorkerFixture.files(pool, picture, targets)
        let expected = try WorkerFixture.files(picture, targets)
        #expect(files == expected)
    }

    @Test(.enabled(if: access(font, R_OK) == 0, "fonts-dejavu-core is not installed"))
    func fontFilesAreMappedByWorkers() throws {
        let pool = try WorkerFixture.pool { $0.fonts = try Self.fonts([Self.font]) }
        defer { pool.close() }
        // The worker that has rendered has mapped its fonts.
        _ = try WorkerFixture.files(pool, try WorkerFixture.jpeg(), [RenderTarget(width: 92, format: .jpeg)])
        let process = try #require(pool.idleProcesses.last)
        let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        #expect(maps.contains(Self.font))
    }

    @Test(.enabled(if: access(font, R_OK) == 0, "fonts-dejavu-core is not installed"))
    func otherFilesThanTheServersDrawNothing() throws {
        func target(_ text: String) -> RenderTarget {
            var target = RenderTarget(width: 92, format: .jpeg)
            target.badges = Badges([Badges.Badge(text: text, colour: .white)])
            return target
        }
        let picture = try WorkerFixture.jpeg()
        for files in [[Self.font], []] {
            let pool = try WorkerFixture.pool { $0.fonts = .init(version: "another", files: files) }
            defer { pool.close() }
            let bundled = try WorkerFixture.files(pool, picture, [target("8.7")])
            #expect(try bundled == WorkerFixture.files(picture, [target("8.7")]))
            let error = #expect(throws: CodecError.self) { try WorkerFixture.files(pool, picture, [target("✈")]) }
            let reason = "font files of badges have changed since the start; restart the service"
            #expect(error == .internalError(reason: reason))
        }
        let pool = try WorkerFixture.pool { $0.fonts = try Self.fonts([Self.font]) }
        defer { pool.close() }
        _ = try WorkerFixture.files(pool, picture, [target("✈")])
    }

    private static func fonts(_ files: [String]) throws -> CodecWorkerPool.Fonts {
        let fonts = try BadgeFonts(files: files)
        return CodecWorkerPool.Fonts(version: fonts.version, files: fonts.files)
    }
}
