import Flights
import PosterCodec
import PosterPipeline

/// Provides files as if they were in the service's store: each render maps its original anew.
struct MappedOriginals: PosterLocator, OriginalStore, OriginalSource {
    /// Ids of the posters, at least one.
    let ids: [PosterID]
    /// Upright sizes of the posters' originals in pixels.
    let sizes: [(width: Int, height: Int)]
    private let files: [PosterID: File]

    private struct File {
        let path: String
        let digest: Digest
        let header: ImageHeader
    }

    /// - Parameters:
    ///   - files: Files that the codec rejects are skipped.
    ///   - count: Number of posters, each with one of the files; `nil` for one poster per file.
    ///   - isUsable: Accepts originals by width and height.
    init(files: [String], count: Int? = nil, isUsable: (Int, Int) -> Bool = { _, _ in true }) throws {
        let usable = try files.compactMap { path -> (path: String, header: ImageHeader)? in
            let input = try MappedFile(path)
            guard let header = try? inspect(input.bytes.bytes, limits: .init()) else { return nil }
            let size = header.uprightSize
            return isUsable(size.width, size.height) ? (path, header) : nil
        }
        guard !usable.isEmpty else { throw BenchError("none of the files can be decoded") }
        var ids: [PosterID] = []
        var sizes: [(width: Int, height: Int)] = []
        var known: [PosterID: File] = [:]
        for index in 0..<(count ?? usable.count) {
            let file = usable[count == nil ? index : Int(SplitMix.mixed(UInt64(index)) % UInt64(usable.count))]
            let id = try PosterID(key: "\(index)")
            ids.append(id)
            let size = file.header.uprightSize
            sizes.append((size.width, size.height))
            known[id] = File(path: file.path, digest: Digest(of: id.key), header: file.header)
        }
        (self.ids, self.sizes, self.files) = (ids, sizes, known)
    }

    func locate(_ id: PosterID) async throws -> OriginalLocation {
        .file(path: self.files[id]!.path, version: "1")
    }

    func original(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal? {
        let file = self.files[id]!
        let mapped = MappedOriginal(try MappedFile(file.path))
        let bytes = LoadedBytes(mapped.file.bytes) { withExtendedLifetime(mapped) {} }
        let original = Original(id: id, digest: file.digest, header: file.header, bytes: .memory(bytes))
        return StoredOriginal(
            original: original, validators: Validators(), freshness: Freshness(validatedAt: 0, lifetime: .max))
    }

    func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft {
        throw BenchError("this store is read-only")
    }

    func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) async {}

    func remove(_ id: PosterID, digest: Digest) async {}

    func purge(_ id: PosterID) async throws -> Bool { false }

    func fetch(
        _ location: OriginalLocation, for id: PosterID, validators: Validators, urgency: Urgency,
        into draft: any OriginalDraft
    ) async throws -> OriginResponse {
        throw BenchError("there is no origin to fetch from")
    }

    private final class MappedOriginal: Sendable {
        let file: MappedFile

        init(_ file: consuming MappedFile) {
            self.file = file
        }
    }
}
