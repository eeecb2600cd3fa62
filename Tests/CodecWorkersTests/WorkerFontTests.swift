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
            pool.fontFiles = ["/removed/since/the/start.ttf", Self.font, "it is \"no\" file"]
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
        let pool = try WorkerFixture.pool { $0.fontFiles = [Self.font] }
        defer { pool.close() }
        // The worker that has rendered has mapped its fonts.
        _ = try WorkerFixture.files(pool, try WorkerFixture.jpeg(), [RenderTarget(width: 92, format: .jpeg)])
        let process = try #require(pool.idleProcesses.last)
        let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        #expect(maps.contains(Self.font))
    }
}
