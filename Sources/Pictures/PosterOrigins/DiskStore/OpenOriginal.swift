import NIOCore
import PosterPipeline
import Synchronization

/// The bytes of a verified original in an open file, read on demand; the file is closed with this object.
///
/// A file that is evicted or replaced meanwhile is served to its end. One that was written to or cut short is dropped
/// from the store when a read finds that.
final class OpenOriginal: StoredBytes {
    private let file: OriginalFile
    private let id: PosterID
    private let fileStore: OriginalFileStore

    init(_ file: OriginalFile, of id: PosterID, fileStore: OriginalFileStore) {
        self.file = file
        self.id = id
        self.fileStore = fileStore
        fileStore.openCount.add(1, ordering: .relaxed)
    }

    deinit {
        self.fileStore.openCount.subtract(1, ordering: .relaxed)
    }

    var count: Int { self.file.header.length }

    func read(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(OriginalBytes.Unreadable) {
        do throws(FileError) {
            try self.file.read(from: offset, into: buffer)
        } catch {
            self.fileStore.dropUnreadable(self.file, of: self.id, because: error)
            throw OriginalBytes.Unreadable()
        }
    }

    func piece(_ part: Range<Int>) async throws -> ByteBuffer {
        // At most one at once for each response that is being sent.
        try await self.fileStore.threads.runStep {
            var buffer = ByteBufferAllocator().buffer(capacity: part.count)
            try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: part.count) { room in
                try self.read(
                    from: part.lowerBound, into: UnsafeMutableRawBufferPointer(rebasing: room.prefix(part.count)))
                return part.count
            }
            return buffer
        }
    }
}
