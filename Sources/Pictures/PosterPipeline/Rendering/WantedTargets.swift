import Flights
import PosterCodec

/// The targets that requests wait for, by poster, even while its original is fetched: a decode that begins serves all
/// of them. A plain value without a lock.
///
/// Every operation is linear in the targets of one poster.
struct WantedTargets: Sendable {
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

    private var entries: [PosterID: [Entry]] = [:]

    /// Records a request, until ``withdraw(_:of:level:)`` is called with the same values.
    /// - Returns: Whether it was recorded; see ``limitPerPoster``.
    mutating func announce(_ target: RenderTarget, of id: PosterID, level: Urgency.Level) -> Bool {
        if let index = self.index(of: target, of: id) {
            self.entries[id]![index].counts[level.rawValue] += 1
            return true
        }
        guard self.entries[id]?.count ?? 0 < Self.limitPerPoster else { return false }
        var entry = Entry(target: target)
        entry.counts[level.rawValue] = 1
        self.entries[id, default: []].append(entry)
        return true
    }

    /// Removes a request recorded by ``announce(_:of:level:)``.
    mutating func withdraw(_ target: RenderTarget, of id: PosterID, level: Urgency.Level) {
        guard let index = self.index(of: target, of: id) else { return }
        self.entries[id]![index].counts[level.rawValue] -= 1
        if self.entries[id]![index].level == nil { self.entries[id]!.remove(at: index) }
        if self.entries[id]!.isEmpty { self.entries[id] = nil }
    }

    /// The targets of a poster, the most urgent first, then in the order of arrival; at most as many as a job can have.
    func targets(of id: PosterID) -> [Wanted] {
        guard let entries = self.entries[id] else { return [] }
        let sorted = Urgency.Level.allCases.reversed().flatMap { level in
            entries.filter { $0.level == level }.map { Wanted(target: $0.target, level: level) }
        }
        return Array(sorted.prefix(RenderJob.targetLimit))
    }

    func contains(_ target: RenderTarget, of id: PosterID) -> Bool { self.index(of: target, of: id) != nil }

    func isWanted(_ id: PosterID) -> Bool { self.entries[id] != nil }

    var isEmpty: Bool { self.entries.isEmpty }

    private func index(of target: RenderTarget, of id: PosterID) -> Int? {
        self.entries[id]?.firstIndex { $0.target == target }
    }
}
