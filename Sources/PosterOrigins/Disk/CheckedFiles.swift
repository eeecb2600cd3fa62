import PosterPipeline
import Synchronization

/// The files whose bytes were compared with their digest since the start, as they were then.
final class CheckedFiles: Sendable {
    /// How many are remembered, some 150 bytes each.
    static let limit = 100_000

    private struct File: Hashable {
        let digest: Digest
        let stamp: FileStamp
    }

    private let files = Mutex<[Digest: File]>([:])

    func contains(_ key: Digest, digest: Digest, stamp: FileStamp) -> Bool {
        self.files.withLock { $0[key] } == File(digest: digest, stamp: stamp)
    }

    func insert(_ key: Digest, digest: Digest, stamp: FileStamp) {
        self.files.withLock { files in
            // Forgetting costs one more check each; simpler than an order of use.
            if files.count >= Self.limit { files.removeAll() }
            files[key] = File(digest: digest, stamp: stamp)
        }
    }

    func remove(_ key: Digest) {
        self.files.withLock { _ = $0.removeValue(forKey: key) }
    }
}
