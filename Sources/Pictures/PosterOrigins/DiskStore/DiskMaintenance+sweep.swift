import Logging
import PosterPipeline

extension DiskMaintenance {
    /// Compares files and index, folder by folder, and repairs what differs: what a crash left behind, files that were
    /// copied or deleted by hand, an index that was lost. Bytes are not read; their digests are checked at first use.
    ///
    /// - Throws: ``FileError``, `PosterError.overloaded`, `CancellationError`; what was done until then stays.
    func sweep() async throws {
        _ = try await self.removeLeftovers()
        for byte in UInt8.min...UInt8.max {
            let differing = Array(try await self.perform { try Self.differing($0, beginningWith: byte) })
            for start in stride(from: 0, to: differing.count, by: Self.batchCount) {
                let batch = differing[start..<min(start + Self.batchCount, differing.count)]
                try await self.perform { shelf in
                    for key in batch { shelf.reconcile(key) }
                }
            }
        }
    }

    /// Deletes what was half written when an earlier process ended.
    ///
    /// - Returns: How many files that were.
    /// - Throws: As ``sweep()``.
    func removeLeftovers() async throws -> Int {
        try await self.perform { shelf in
            let leftovers = try shelf.files.leftovers()
            for path in leftovers { _ = try shelf.files.remove(path) }
            return leftovers.count
        }
    }

    private static func differing(_ shelf: OriginalShelf, beginningWith byte: UInt8) throws -> Set<Digest> {
        guard let known = shelf.index.attempt({ try $0.keys(beginningWith: byte) }) else {
            throw PosterError.storageFailed(reason: "the index of originals cannot be used")
        }
        return try shelf.files.keys(beginningWith: byte).symmetricDifference(known)
    }
}
