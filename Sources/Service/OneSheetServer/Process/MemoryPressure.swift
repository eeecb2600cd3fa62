import Logging
import OneSheetConfiguration
import PosterAPI
import PosterCodec
import PosterPipeline

/// Decides how much memory decoded planes may use when the process has used almost all that it may. They are evicted
/// first: they only save time, while clients wait for all other uses of memory.
///
/// Under pressure no planes are cached. After ``calmLooks`` checks without pressure half the budget is restored, and
/// all of it after as many more.
struct MemoryPressure {
    static let period = Duration.seconds(5)
    /// The share of the limit above which there is pressure, in percent.
    static let highPercentage = 90
    /// The number of checks in a minute.
    static let calmLooks = 12

    /// The memory available to the process, in bytes.
    let limit: Int
    /// The budget of decoded planes, in bytes.
    let budget: Int
    /// The present limit of decoded planes, in bytes.
    private(set) var allowed: Int
    private var calm = 0

    init(limit: Int, budget: Int) {
        self.limit = limit
        self.budget = budget
        self.allowed = budget
    }

    /// - Parameter residentBytes: The process's resident memory.
    /// - Returns: Whether ``allowed`` must be applied: it changed, or there is pressure.
    mutating func look(residentBytes: Int) -> Bool {
        guard residentBytes <= self.limit / 100 * Self.highPercentage else {
            self.calm = 0
            self.allowed = 0
            return true
        }
        guard self.allowed < self.budget else { return false }
        self.calm += 1
        guard self.calm == Self.calmLooks else { return false }
        self.calm = 0
        self.allowed = self.allowed == 0 ? self.budget / 2 : self.budget
        return true
    }
}

extension MemoryPressure {
    /// Applies the decisions to a cache.
    ///
    /// - Parameters:
    ///   - limit: The memory available to the process; `nil` if it is unknown.
    ///   - residentBytes: Returns the process's resident memory.
    /// - Returns: `nil` without a limit or without a cache of planes.
    static func service(
        _ planes: PlaneCache, limit: Int?, logger: Logger,
        residentBytes: @escaping @Sendable () -> Int = { ProcessStatistics.memory().residentBytes },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) -> BackgroundService? {
        guard let limit, planes.byteBudget > 0 else { return nil }
        return BackgroundService {
            var pressure = MemoryPressure(limit: limit, budget: planes.byteBudget)
            while true {
                try await sleep(Self.period)
                let (bytes, before) = (residentBytes(), pressure.allowed)
                guard pressure.look(residentBytes: bytes) else { continue }
                planes.relieve(to: pressure.allowed)
                if pressure.allowed == 0 { ProcessHeap.trim() }
                guard pressure.allowed != before else { continue }
                let metadata: Logger.Metadata = [
                    "resident": "\(bytes)", "limit": "\(limit)", "allowed": "\(pressure.allowed)",
                ]
                if pressure.allowed == 0 {
                    logger.warning("Memory is low: decoded planes are dropped", metadata: metadata)
                } else {
                    logger.notice("Memory suffices: decoded planes are cached again", metadata: metadata)
                }
            }
        }
    }
}
