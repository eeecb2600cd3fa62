import PosterCodec
import PosterPipeline
import Synchronization

/// The files whose bytes were compared with their digest since the start, as they were then, with what verification read
/// of them.
final class CheckedFiles: Sendable {
    /// How many are remembered, some 300 bytes each.
    static let limit = 100_000

    private struct File {
        let digest: Digest
        let stamp: FileStamp
        let picture: ImageHeader
    }

    private let files = Mutex<[Digest: File]>([:])

    /// - Returns: What verification read; nil when the file was not checked as it is now.
    func picture(_ key: Digest, digest: Digest, stamp: FileStamp) -> ImageHeader? {
        guard let file = self.files.withLock({ $0[key] }), file.digest == digest, file.stamp == stamp else {
            return nil
        }
        return file.picture
    }

    func insert(_ key: Digest, digest: Digest, stamp: FileStamp, picture: ImageHeader) {
        self.files.withLock { files in
            // Forgetting costs one more check each; simpler than an order of use.
            if files.count >= Self.limit { files.removeAll() }
            files[key] = File(digest: digest, stamp: stamp, picture: picture)
        }
    }

    func remove(_ key: Digest) {
        self.files.withLock { _ = $0.removeValue(forKey: key) }
    }
}
