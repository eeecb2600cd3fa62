import Flights
import PosterCodec
import Synchronization

/// The targets that requests wait for, by poster, even while its original is fetched: a decode that begins serves all
/// of them. Safe from any thread.
///
/// Sharded by poster; every operation is linear in the targets of one poster.
final class WantedTargets: Sendable {
    /// Maximum number of targets of one poster. Further requests are not recorded, and their variants are decoded
    /// separately.
    static let limitPerPoster = 256

    struct Wanted: Hashable, Sendable {
        let target: RenderTarget
        /// The level of the most urgent request.
        let level: Urgency.Level
    }

    private struct Entry {
        let target: RenderTarget
        var counts = Urgency.Level.allCases.map { _ in 0 }

        var level: Urgency.Level? {
            self.counts.lastIndex { $0 > 0 }.flatMap { Urgency.Level(rawValue: $0) }
        }
    }

    private final class Part: Sendable {
        let entries = Mutex<[PosterID: [Entry]]>([:])
    }

    private static let partCount = 16
    private let parts = (0..<WantedTargets.partCount).map { _ in Part() }

    /// Records a request, until ``withdraw(_:of:level:)`` is called with the same values.
    /// - Returns: Whether it was recorded; see ``limitPerPoster``.
    func announce(_ target: RenderTarget, of id: PosterID, level: Urgency.Level) -> Bool {
        self.part(of: id).entries.withLock { all in
            var entries = all.removeValue(forKey: id) ?? []
            defer { all[id] = entries }
            if let index = entries.firstIndex(where: { $0.target == target }) {
                entries[index].counts[level.rawValue] += 1
                return true
            }
            guard entries.count < Self.limitPerPoster else { return false }
            var entry = Entry(target: target)
            entry.counts[level.rawValue] = 1
            entries.append(entry)
            return true
        }
    }

    /// Removes a request recorded by ``announce(_:of:level:)``.
    func withdraw(_ target: RenderTarget, of id: PosterID, level: Urgency.Level) {
        self.part(of: id).entries.withLock { all in
            guard var entries = all.removeValue(forKey: id) else { return }
            if let index = entries.firstIndex(where: { $0.target == target }) {
                entries[index].counts[level.rawValue] -= 1
                if entries[index].level == nil { entries.remove(at: index) }
            }
            if !entries.isEmpty { all[id] = entries }
        }
    }

    /// The targets of a poster, the most urgent first, then in the order of arrival; at most as many as a job can have.
    func targets(of id: PosterID) -> [Wanted] {
        let entries = self.part(of: id).entries.withLock { $0[id] ?? [] }
        let sorted = Urgency.Level.allCases.reversed().flatMap { level in
            entries.filter { $0.level == level }.map { Wanted(target: $0.target, level: level) }
        }
        return Array(sorted.prefix(RenderJob.targetLimit))
    }

    func contains(_ target: RenderTarget, of id: PosterID) -> Bool {
        self.part(of: id).entries.withLock { $0[id]?.contains { $0.target == target } ?? false }
    }

    func isWanted(_ id: PosterID) -> Bool {
        self.part(of: id).entries.withLock { $0[id] != nil }
    }

    var isEmpty: Bool {
        self.parts.allSatisfy { part in part.entries.withLock { $0.isEmpty } }
    }

    private func part(of id: PosterID) -> Part {
        self.parts[Int(UInt(bitPattern: id.hashValue) % UInt(Self.partCount))]
    }
}
