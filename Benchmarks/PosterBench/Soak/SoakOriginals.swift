import Flights
import PosterCodec
import PosterPipeline

/// Some files as if they were all in the service's store: each render maps its original anew.
struct SoakOriginals: PosterLocator, OriginalStore, OriginalSource {
    let ids: [PosterID]
    /// In pixels: no poster is wider than its original.
    let widths: [Int]
    private let files: [PosterID: String]

    /// - Parameter files: Those that the codec refuses are left out.
    init(files: [String]) throws {
        var ids: [PosterID] = []
        var widths: [Int] = []
        var known: [PosterID: String] = [:]
        for (index, file) in files.enumerated() {
            let input = try MappedFile(file)
            guard let header = try? inspect(input.bytes.bytes, limits: .init()) else { continue }
            let size = header.uprightSize
            // Requests are up to half as high again as wide.
            let width = min(size.width, size.height * 2 / 3)
            guard width > SoakLoad.leastWidth else { continue }
            widths.append(width)
            let id = try PosterID(key: "\(index)")
            ids.append(id)
            known[id] = file
        }
        guard !ids.isEmpty else { throw BenchError("none of the files can be decoded") }
        (self.ids, self.widths, self.files) = (ids, widths, known)
    }

    func locate(_ id: PosterID) async throws -> OriginalLocation {
        .file(path: self.files[id]!, version: "1")
    }

    func original(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal? {
        let file = MappedOriginal(try MappedFile(self.files[id]!))
        let bytes = LoadedBytes(file.file.bytes) { withExtendedLifetime(file) {} }
        let original = Original(
            id: id, digest: Digest(of: id.key), header: try OriginalVerifier().verify(bytes),
            bytes: .memory(bytes))
        return StoredOriginal(
            original: original, validators: Validators(), freshness: Freshness(validatedAt: 0, lifetime: .max))
    }

    func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft {
        throw BenchError("nothing is stored here")
    }

    func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) async {}

    func remove(_ id: PosterID, digest: Digest) async {}

    func purge(_ id: PosterID) async throws -> Bool { false }

    func fetch(
        _ location: OriginalLocation, for id: PosterID, validators: Validators, urgency: Urgency,
        into draft: any OriginalDraft
    ) async throws -> OriginResponse {
        throw BenchError("nothing is fetched here")
    }

    private final class MappedOriginal: Sendable {
        let file: MappedFile

        init(_ file: consuming MappedFile) {
            self.file = file
        }
    }
}
