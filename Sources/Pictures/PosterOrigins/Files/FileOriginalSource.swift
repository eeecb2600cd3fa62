import Flights
import Glibc
import PosterPipeline

/// Originals that are files of this machine: the packaged posters.
struct FileOriginalSource: Sendable {
    private static let chunkLength = 256 << 10

    let threads: WorkThreads

    func fetch(
        _ path: String, urgency: Urgency, into draft: any OriginalDraft
    ) async throws -> OriginDescription {
        try await self.threads.run(urgency: urgency) {
            do {
                return OriginDescription(declaredLength: try Self.copy(path, into: draft))
            } catch is FileError {
                throw PosterError.originUnavailable(reason: "the packaged poster cannot be read")
            }
        }
    }

    /// - Returns: How many bytes it has.
    private static func copy(_ path: String, into draft: any OriginalDraft) throws -> Int {
        let descriptor = try LoadedBytes.open(path)
        defer { close(descriptor) }
        let length = try FileStamp(of: descriptor, path: path).length
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkLength, alignment: 16)
        defer { chunk.deallocate() }
        for start in stride(from: 0, to: length, by: Self.chunkLength) {
            try Task.checkCancellation()
            let part = UnsafeMutableRawBufferPointer(rebasing: chunk.prefix(length - start))
            try LoadedBytes.read(descriptor, from: start, into: part, path: path)
            guard draft.append(UnsafeRawBufferPointer(part)) else {
                throw PosterError.storageFailed(reason: "an original could not be stored")
            }
        }
        return length
    }
}
