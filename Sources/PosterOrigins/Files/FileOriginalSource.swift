import Flights
import PosterPipeline

/// Originals that are files of this machine: the packaged posters.
struct FileOriginalSource: Sendable {
    private static let chunkLength = 256 << 10

    let threads: WorkThreads

    func fetch(
        _ path: String, urgency: Urgency, into draft: any OriginalDraft
    ) async throws -> OriginDescription {
        try await self.threads.run(urgency: urgency) {
            let file: OriginalBytes
            do {
                file = try OriginalBytes.mapping(path)
            } catch {
                throw PosterError.originUnavailable(reason: "the packaged poster cannot be read")
            }
            try file.withUnsafeBytes { bytes in
                for start in stride(from: 0, to: bytes.count, by: Self.chunkLength) {
                    try Task.checkCancellation()
                    let end = min(start + Self.chunkLength, bytes.count)
                    guard draft.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) else {
                        throw PosterError.storageFailed(reason: "an original could not be stored")
                    }
                }
            }
            return OriginDescription(declaredLength: file.count)
        }
    }
}
