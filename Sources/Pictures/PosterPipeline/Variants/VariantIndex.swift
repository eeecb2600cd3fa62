import Synchronization

/// Which variants of each poster are in memory, the one that was made first in front. Safe from any thread.
///
/// In parts with a lock each, taken only when a variant comes or goes: hits do not know of it. Whoever puts a variant into
/// the cache does so with the poster's part locked, so that the roster never has fewer than the cache.
final class VariantRoster: Sendable {
    typealias Keys = [PosterID: [VariantKey]]

    private final class Part: Sendable {
        let keys = Mutex<Keys>([:])
    }

    private static let partCount = 16
    private let parts = (0..<VariantRoster.partCount).map { _ in Part() }

    /// Changes what is there of a poster, with nobody else doing so.
    ///
    /// - Parameter body: Is called with a lock held; what it frees, it has to hand out.
    func withKeys<Value>(of id: PosterID, _ body: (inout sending [VariantKey]) -> sending Value) -> sending Value {
        self.part(of: id).keys.withLock { all in
            var keys = all.removeValue(forKey: id) ?? []
            let value = body(&keys)
            if !keys.isEmpty { all[id] = keys }
            return value
        }
    }

    /// The posters of these sources of which there are variants.
    func posters(of sources: Set<String>) -> [PosterID] {
        self.parts.flatMap { part in part.keys.withLock { $0.keys.filter { sources.contains($0.source) } } }
    }

    /// How many variants of a poster are there.
    func count(of id: PosterID) -> Int {
        self.part(of: id).keys.withLock { $0[id]?.count ?? 0 }
    }

    private func part(of id: PosterID) -> Part {
        self.parts[Int(UInt(bitPattern: id.hashValue) % UInt(Self.partCount))]
    }
}
