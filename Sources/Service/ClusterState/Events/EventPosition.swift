import FoundationEssentials
import PosterOrigins
import PosterPipeline

/// Up to where a node has applied the events of a stream.
struct EventPosition: Codable, Hashable {
    /// Of the stream: another one after it was lost.
    var generation: String
    /// Of the last entry that was applied; ``StreamID``.
    var entry: String
    /// Originals that their origins have not confirmed since are not used, in seconds since 1970; nil for none.
    var distrustedUntil: Int64?

    var id: StreamID { StreamID(self.entry) ?? .zero }
}

/// The position in the data directory. Calls block for a disk.
struct EventPositionFile: Sendable {
    /// The longest that is read, in bytes.
    private static let limit = 4096

    let path: String

    /// - Returns: nil when there is none, or it cannot be understood.
    func read() -> EventPosition? {
        guard let bytes = try? LoadedBytes.reading(self.path, limit: Self.limit) else { return nil }
        let data = bytes.withUnsafeBytes { Data($0) }
        return try? JSONDecoder().decode(EventPosition.self, from: data)
    }

    /// - Parameter isDurable: Whether it is on the disk when this returns; else a crash of the machine may bring the former one back.
    func write(_ position: EventPosition, isDurable: Bool) throws {
        try AtomicFile.write(Array(try JSONEncoder().encode(position)), to: self.path, isDurable: isDurable)
    }
}
