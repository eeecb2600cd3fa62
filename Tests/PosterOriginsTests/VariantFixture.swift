import FoundationEssentials
import PosterPipeline
import PosterTesting

@testable import PosterOrigins

/// A folder with a store of variants, which can be closed, changed from outside, and opened again.
final class VariantFixture: Sendable {
    let disk: DiskFixture

    init(_ disk: DiskFixture = DiskFixture()) {
        self.disk = disk
    }

    var folder: String { self.disk.path + "/variants" }

    /// Absolute paths of variant files.
    var files: [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: self.folder)) ?? []
        return names.filter { $0.hasSuffix(".variant") }.map { "\(self.folder)/\($0)" }.sorted()
    }

    /// Names of files that are being written.
    var incoming: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: self.folder + "/incoming")) ?? []
    }

    /// Disk space of all files, including incoming ones, in whole 4 KiB blocks.
    var space: Int {
        let paths = self.files + self.incoming.map { "\(self.folder)/incoming/\($0)" }
        return paths.reduce(0) { $0 + ((FileStamp(at: $1)?.length ?? 0) + 4095) / 4096 * 4096 }
    }

    func withStore<Value>(
        _ configuration: DiskVariantStore.Configuration = .init(), _ body: (DiskVariantStore) async throws -> Value
    ) async throws -> Value {
        let data = try DataDirectory(path: self.disk.path)
        let store = try DiskVariantStore(
            in: data, configuration: configuration, threads: self.disk.threads, logger: self.disk.log.logger(),
            secondsSince1970: { 1_700_000_000 }, calls: self.disk.calls)
        do {
            let value = try await body(store)
            await store.close()
            withExtendedLifetime(data) {}
            return value
        } catch {
            await store.close()
            throw error
        }
    }
}
