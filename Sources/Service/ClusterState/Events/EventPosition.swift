import FoundationEssentials
import PosterOrigins
import PosterPipeline

/// A node's position in the event stream.
struct EventPosition: Codable, Hashable {
    /// The stream's generation, which changes when the stream was lost.
    var generation: String
    /// The ``StreamID`` of the last applied entry.
    var entry: String
    /// Originals that their origins have not confirmed since this time, in seconds since 1970, are not used; `nil`
    /// without such a time.
    var distrustedUntil: Int64?

    var id: StreamID { StreamID(self.entry) ?? .zero }
}

/// The stored position in the data directory. Calls block on a disk.
struct EventPositionFile: Sendable {
    private static let limit = 4096

    let path: String

    /// - Returns: `nil` if there is no file, or it is malformed.
    func read() -> EventPosition? {
        guard let bytes = try? LoadedBytes.reading(self.path, limit: Self.limit) else { return nil }
        let data = bytes.withUnsafeBytes { Data($0) }
        return try? JSONDecoder().decode(EventPosition.self, from: data)
    }

    /// - Parameter isDurable: Whether the file is on the disk on return; otherwise a crash of the machine may restore
    ///   the previous one.
    func write(_ position: EventPosition, isDurable: Bool) throws {
        try AtomicFile.write(Array(try JSONEncoder().encode(position)), to: self.path, isDurable: isDurable)
    }
}
